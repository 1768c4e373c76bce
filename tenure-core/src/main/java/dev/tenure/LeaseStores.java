package dev.tenure;

import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.memory.UncoordinatedLeaseStore;
import dev.tenure.spi.BlockingLeaseStore;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.LeaseStoreProvider;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeSet;

/**
 * Stores that need no driver, and the way to those that do.
 */
public final class LeaseStores {
    private static final String MEMORY = "memory";

    private LeaseStores() {}

    /**
     * The store at a URL, through the providers on the class or module path; {@code memory:} is a new one each time.
     * Does not wait for the store to be reachable.
     *
     * @throws IllegalArgumentException if nothing opens such URLs (the known schemes are listed), or naming what is
     *     wrong with it; never with a password
     */
    public static LeaseStore open(String url) {
        return open(url, Map.of());
    }

    /**
     * As {@link #open(String)}, with {@code namespace}, {@code user}, {@code password} and the store's own options.
     */
    public static LeaseStore open(String url, Map<String, String> options) {
        if (url.startsWith(MEMORY + ":")) {
            return openMemory(url, options);
        }
        for (LeaseStoreProvider provider : providers()) {
            for (String scheme : provider.schemes()) {
                if (url.startsWith(scheme + ":")) {
                    return provider.open(url, options);
                }
            }
        }
        throw new IllegalArgumentException(
                "store must begin with one of " + knownSchemes() + ": store=" + SafeUrl.shown(url));
    }

    private static LeaseStore openMemory(String url, Map<String, String> options) {
        if (!url.equals(MEMORY + ":")) {
            throw new IllegalArgumentException(
                    "store must be memory: and nothing after it: store=" + SafeUrl.shown(url));
        }
        if (!options.isEmpty()) {
            throw new IllegalArgumentException("store memory: takes no options: options=" + options.keySet());
        }
        return inMemory();
    }

    private static List<LeaseStoreProvider> providers() {
        try {
            return ServiceLoader.load(LeaseStoreProvider.class, LeaseStores.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
        } catch (ServiceConfigurationError broken) {
            throw new IllegalArgumentException("store provider cannot be loaded: " + broken.getMessage(), broken);
        }
    }

    private static String knownSchemes() {
        TreeSet<String> schemes = new TreeSet<>();
        schemes.add(MEMORY + ":");
        providers().forEach(provider -> provider.schemes().forEach(scheme -> schemes.add(scheme + ":")));
        return String.join(", ", schemes);
    }

    /**
     * For one process: tests, examples, single instances. What stands on one such store object excludes each other.
     */
    public static LeaseStore inMemory() {
        return new MemoryLeaseStore();
    }

    /**
     * Coordinates nothing: see {@link ElectionOptions.WhenUncoordinated}.
     */
    public static LeaseStore uncoordinated() {
        return new UncoordinatedLeaseStore();
    }

    /**
     * A store over a blocking driver, with threads and time limits of its own: at most 64 calls at once and 16
     * renewals beside them, each interrupted at its limit.
     */
    public static LeaseStore blocking(BlockingLeaseStore store) {
        return new BlockingAdapter(store);
    }
}
