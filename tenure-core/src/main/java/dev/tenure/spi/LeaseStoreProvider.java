package dev.tenure.spi;

import java.util.Map;
import java.util.Set;

/**
 * Opens stores by URL; found through {@link java.util.ServiceLoader}.
 */
public interface LeaseStoreProvider {

    /**
     * The beginnings of the URLs that this opens, without the last colon: {@code redis}, {@code jdbc:postgresql}.
     */
    Set<String> schemes();

    /**
     * Opens a store without waiting for it to be reachable.
     *
     * @param options {@code namespace}, {@code user}, {@code password}, and the store's own
     * @throws IllegalArgumentException naming what is wrong, never a password
     */
    LeaseStore open(String url, Map<String, String> options);
}
