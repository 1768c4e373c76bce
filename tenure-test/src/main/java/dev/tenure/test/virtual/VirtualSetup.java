package dev.tenure.test.virtual;

import dev.tenure.ElectionOptions;
import dev.tenure.engine.Settings;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.spi.LeaseStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a process. Not thread-safe.
 */
public final class VirtualSetup {
    private final Map<String, String> metadata = new LinkedHashMap<>();
    private final List<Supplier<Map<String, String>>> suppliers = new ArrayList<>();
    private final List<ElectionMonitor> monitors = new ArrayList<>();
    private final ElectionOptions.Builder options = ElectionOptions.builder();
    private @Nullable Executor executor;
    private @Nullable String instance;

    VirtualSetup() {}

    /**
     * The name that others see; default the name of the process.
     */
    public VirtualSetup instance(String given) {
        instance = given;
        return this;
    }

    public VirtualSetup options(Consumer<ElectionOptions.Builder> change) {
        change.accept(options);
        return this;
    }

    public VirtualSetup metadata(String key, String value) {
        metadata.put(key, value);
        return this;
    }

    public VirtualSetup metadata(Supplier<Map<String, String>> supplier) {
        suppliers.add(supplier);
        return this;
    }

    public VirtualSetup monitor(ElectionMonitor monitor) {
        monitors.add(monitor);
        return this;
    }

    /**
     * Instead of the world's threads.
     */
    public VirtualSetup executor(Executor given) {
        executor = given;
        return this;
    }

    Settings settings(String name, LeaseStore store, ElectionMonitor recorder) {
        List<ElectionMonitor> all = new ArrayList<>(List.of(recorder));
        all.addAll(monitors);
        return new Settings(
                store, instance != null ? instance : name, metadata, suppliers, options.build(), executor, all);
    }
}
