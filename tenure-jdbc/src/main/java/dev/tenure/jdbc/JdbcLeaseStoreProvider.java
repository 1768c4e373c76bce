package dev.tenure.jdbc;

import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.LeaseStoreProvider;
import java.util.Map;
import java.util.Set;

/**
 * Opens {@code jdbc:sqlite:} and {@code jdbc:postgresql:} URLs for {@link dev.tenure.LeaseStores#open(String)}.
 */
public final class JdbcLeaseStoreProvider implements LeaseStoreProvider {

    /**
     * For the service loader.
     */
    public JdbcLeaseStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("jdbc:sqlite", "jdbc:postgresql");
    }

    @Override
    public LeaseStore open(String url, Map<String, String> options) {
        return JdbcLeaseStore.connect(url, options);
    }
}
