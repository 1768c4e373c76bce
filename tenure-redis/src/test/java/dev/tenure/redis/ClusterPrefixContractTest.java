package dev.tenure.redis;

import java.util.Map;

/**
 * The contract on a Cluster, keys spread over its nodes.
 */
class ClusterPrefixContractTest extends ServerContract {
    @Override
    String url() {
        return RedisServers.cluster().url();
    }

    @Override
    Map<String, String> options() {
        return Map.of("prefix", "spread:");
    }

    @Override
    String record(String key) {
        return "spread:{" + key + "}";
    }

    @Override
    RedisNode nodeOf(String record) {
        RedisCluster cluster = RedisServers.cluster();
        return cluster.masterOf(cluster.slotOf(record));
    }
}
