package dev.tenure.redis;

import java.util.Map;

/**
 * The contract on one server, with tokens in steps of one and keys in the prefix style.
 */
class CountingContractTest extends SingleContractTest {
    @Override
    Map<String, String> options() {
        return Map.of("tokens", "counter", "prefix", "orionbeacon:lease:");
    }

    @Override
    String record(String key) {
        return "orionbeacon:lease:{" + key + "}";
    }

    @Override
    protected boolean countsByOne() {
        return true;
    }
}
