package dev.tenure.redis;

import java.util.Map;

/**
 * The contract on a Cluster, keys spread over its nodes.
 */
class ClusterPrefixContractTest extends ClusterContractTest {
    @Override
    Map<String, String> options() {
        return Map.of("prefix", "spread:");
    }

    @Override
    String record(String key) {
        return "spread:{" + key + "}";
    }
}
