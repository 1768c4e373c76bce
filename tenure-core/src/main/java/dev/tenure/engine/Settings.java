package dev.tenure.engine;

import dev.tenure.ElectionOptions;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.spi.LeaseStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a Tenure is built from.
 *
 * @param instance the display name; none if it is to be made from host and process
 * @param executor the user's; none if own threads are to be used
 */
public record Settings(
        LeaseStore store,
        @Nullable String instance,
        Map<String, String> metadata,
        List<Supplier<Map<String, String>>> suppliers,
        ElectionOptions defaults,
        @Nullable Executor executor,
        List<ElectionMonitor> monitors) {

    /**
     * The most characters of all metadata, keys and values.
     */
    public static final int LONGEST_METADATA = 4096;

    public Settings {
        metadata = Map.copyOf(metadata);
        suppliers = List.copyOf(suppliers);
        monitors = List.copyOf(monitors);
    }

    /**
     * The characters of keys and values.
     */
    public static int size(Map<String, String> metadata) {
        return metadata.entrySet().stream()
                .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
    }
}
