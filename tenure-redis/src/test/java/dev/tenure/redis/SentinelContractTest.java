package dev.tenure.redis;

/**
 * The contract on a set behind Sentinel.
 */
class SentinelContractTest extends ServerContract {
    @Override
    String url() {
        return RedisServers.sentinel().url();
    }

    @Override
    RedisNode nodeOf(String record) {
        return RedisServers.sentinel().master();
    }
}
