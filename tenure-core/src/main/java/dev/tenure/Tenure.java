package dev.tenure;

import dev.tenure.engine.EngineTenure;
import dev.tenure.engine.Settings;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.spi.LeaseStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This process's place in the elections of one store. One per process and store; thread-safe; one daemon thread for all
 * elections, others only while user code runs.
 */
public interface Tenure extends Elections, AutoCloseable {

    /**
     * On the store at a URL, as {@code jdbc:postgresql://db/app} or {@code jdbc:sqlite:/var/lib/app/tenure.db}.
     */
    static Tenure connect(String storeUrl) {
        return on(LeaseStores.open(storeUrl));
    }

    /**
     * On a store, which {@link #close()} closes; a store closes only connections that it opened itself.
     */
    static Tenure on(LeaseStore store) {
        return builder(store).build();
    }

    /**
     * As {@link #connect}, with settings.
     */
    static Builder builder(String storeUrl) {
        return builder(LeaseStores.open(storeUrl));
    }

    /**
     * As {@link #on}, with settings.
     */
    static Builder builder(LeaseStore store) {
        return new Builder(store);
    }

    /**
     * The electors that stand or lead now.
     */
    Collection<LeaderElector> electors();

    /**
     * What this is made of; asks nobody and changes nothing.
     */
    TenureDescription describe();

    /**
     * Stops all electors and ends all leases: signals, drains for at most {@code drainTimeout}, releases, closes the
     * store. Idempotent, never throws, keeps the interrupt status; an interrupt ends the waiting, not the closing.
     * Called by a listener or by leader work, it does not wait for that one.
     */
    @Override
    void close();

    /**
     * Settings of a Tenure. Not thread-safe.
     */
    final class Builder {
        private final LeaseStore store;
        private @Nullable String instance;
        private final Map<String, String> metadata = new LinkedHashMap<>();
        private final List<Supplier<Map<String, String>>> suppliers = new ArrayList<>();
        private final ElectionOptions.Builder defaults = ElectionOptions.builder();
        private @Nullable Executor executor;
        private final List<ElectionMonitor> monitors = new ArrayList<>();

        private Builder(LeaseStore store) {
            this.store = store;
        }

        /**
         * The name that others see as leader, at most 256 characters; default host name and process id. Need not be
         * unique.
         */
        public Builder instance(String name) {
            this.instance = name;
            return this;
        }

        /**
         * What others see beside the name, an address for instance.
         */
        public Builder metadata(String key, String value) {
            metadata.put(key, value);
            return this;
        }

        /**
         * Metadata that is known late; read on every acquisition, off the engine's thread, not twice at once. An
         * acquisition waits for it 100 ms at most, or 1 s if it has given nothing yet, and never longer than a quarter
         * of {@code callTimeout}. If it does not answer by then, throws, or gives more than is allowed (4096
         * characters of all metadata), then what it gave last is announced for the whole term, and log and monitors
         * are told once. One that hangs is asked again when it has returned.
         */
        public Builder metadata(Supplier<Map<String, String>> metadata) {
            suppliers.add(metadata);
            return this;
        }

        /**
         * Options of every election, unless {@link Elections#with} changes them.
         */
        public Builder defaults(Consumer<ElectionOptions.Builder> defaults) {
            defaults.accept(this.defaults);
            return this;
        }

        /**
         * Runs listeners and leader work; default: daemon threads, as many as run at once. Not closed. Each leader work
         * keeps one thread for its whole term.
         */
        public Builder executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        /**
         * Receives measurements and faults of all elections; may be called several times.
         */
        public Builder monitor(ElectionMonitor monitor) {
            monitors.add(monitor);
            return this;
        }

        /**
         * Checks everything and connects nothing.
         *
         * @throws InvalidOptionsException with all violations, the store's limits among them
         */
        public Tenure build() {
            List<InvalidOptionsException.Violation> violations = new ArrayList<>(defaults.validate(store.traits()));
            violations.addAll(OptionRules.checkInstance(instance, metadata));
            InvalidOptionsException.throwIfAny(violations);
            return EngineTenure.open(
                    new Settings(store, instance, metadata, suppliers, defaults.build(), executor, monitors));
        }
    }
}
