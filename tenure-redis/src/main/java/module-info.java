/**
 * Leases and fences in Redis or Valkey: one server, Sentinel, Cluster.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Lettuce's name stands in its manifest
module dev.tenure.redis {
    requires static transitive org.jspecify;
    requires transitive dev.tenure;
    requires transitive lettuce.core;
    requires io.netty.common;
    requires io.netty.handler;
    requires org.slf4j;

    exports dev.tenure.redis;

    provides dev.tenure.spi.LeaseStoreProvider with
            dev.tenure.redis.RedisLeaseStoreProvider;
}
