package dev.tenure.consul;

import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.LeaseStoreProvider;
import java.util.Map;
import java.util.Set;

/**
 * Opens {@code consul://} URLs, and {@code consul+https://} for TLS, for {@link dev.tenure.LeaseStores#open(String)}.
 */
public final class ConsulLeaseStoreProvider implements LeaseStoreProvider {

    /**
     * For the service loader.
     */
    public ConsulLeaseStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return ConsulOptions.SCHEMES;
    }

    @Override
    public LeaseStore open(String url, Map<String, String> options) {
        return ConsulLeaseStore.builder(url).options(options).build();
    }
}
