package dev.tenure.redis;

/**
 * The contract on one server.
 */
class SingleContractTest extends ServerContract {
    @Override
    String url() {
        return RedisServers.single().url();
    }

    @Override
    RedisNode nodeOf(String record) {
        return RedisServers.single();
    }
}
