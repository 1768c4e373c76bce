package dev.tenure.redis;

/**
 * The contract on a Cluster, all keys in one slot.
 */
class ClusterContractTest extends ServerContract {
    @Override
    String url() {
        return RedisServers.cluster().url();
    }

    @Override
    String record(String key) {
        return "{tenure}:lock:" + key;
    }

    @Override
    RedisNode nodeOf(String record) {
        RedisCluster cluster = RedisServers.cluster();
        return cluster.masterOf(cluster.slotOf(record));
    }
}
