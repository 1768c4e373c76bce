package dev.tenure.redis;

/**
 * Servers that all tests of a JVM share; they end with it. Whatever a test broke is healed when the next one asks, so
 * tests that break something must run one after another.
 */
final class RedisServers {
    private static RedisNode single;
    private static RedisSentinel sentinel;
    private static RedisCluster cluster;

    private RedisServers() {}

    static synchronized RedisNode single() {
        if (single == null) {
            single = new RedisNode();
        }
        single.heal();
        return single;
    }

    static synchronized RedisSentinel sentinel() {
        if (sentinel == null) {
            sentinel = new RedisSentinel();
        } else {
            sentinel.heal();
        }
        return sentinel;
    }

    static synchronized RedisCluster cluster() {
        if (cluster == null) {
            cluster = new RedisCluster();
        } else {
            cluster.heal();
        }
        return cluster;
    }
}
