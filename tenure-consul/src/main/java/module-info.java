/**
 * Leases in Consul: a session for each term, and a KV lock.
 */
module dev.tenure.consul {
    requires static transitive org.jspecify;
    requires transitive dev.tenure;
    requires com.fasterxml.jackson.core;
    requires java.net.http;
    requires org.slf4j;

    exports dev.tenure.consul;

    provides dev.tenure.spi.LeaseStoreProvider with
            dev.tenure.consul.ConsulLeaseStoreProvider;
}
