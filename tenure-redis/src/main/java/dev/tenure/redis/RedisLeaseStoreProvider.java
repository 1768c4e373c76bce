package dev.tenure.redis;

import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.LeaseStoreProvider;
import java.util.Map;
import java.util.Set;

/**
 * Opens {@code redis://}, {@code redis-sentinel://} and {@code redis-cluster://} URLs, and the same with {@code rediss}
 * for TLS, for {@link dev.tenure.LeaseStores#open(String)}.
 */
public final class RedisLeaseStoreProvider implements LeaseStoreProvider {

    /**
     * For the service loader.
     */
    public RedisLeaseStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return RedisUrl.SCHEMES;
    }

    @Override
    public LeaseStore open(String url, Map<String, String> options) {
        return RedisLeaseStore.builder(url).options(options).build();
    }
}
