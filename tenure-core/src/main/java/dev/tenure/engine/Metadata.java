package dev.tenure.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an instance announces: fixed, and as its suppliers say at each acquisition. One that does not answer soon delays
 * nothing: what it gave last is used.
 */
final class Metadata extends Timed {
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * What is done with it, on the loop.
     */
    @FunctionalInterface
    interface Use {
        void of(Map<String, String> metadata);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Metadata.class);

    private final Map<String, String> fixed;
    private final List<Supplier<Map<String, String>>> suppliers;
    private final ElectionLoop loop;
    private final Users users;
    private Map<String, String> last;
    private boolean asking;
    private List<Use> waiting = List.of();

    Metadata(Map<String, String> fixed, List<Supplier<Map<String, String>>> suppliers, ElectionLoop loop, Users users) {
        super(-2);
        this.fixed = fixed;
        this.suppliers = suppliers;
        this.loop = loop;
        this.users = users;
        this.last = fixed;
    }

    /**
     * Gives the present metadata to {@code use}, on the loop; at once if there is nothing to ask.
     *
     * @param callLimit of the call that waits for it
     */
    void read(long callLimit, Use use) {
        if (suppliers.isEmpty() || asking) {
            use.of(last);
            return;
        }
        asking = true;
        waiting = List.of(use);
        loop.schedule(this, loop.time().now() + Math.min(PATIENCE, callLimit / 4));
        users.run("metadata supplier", null, () -> {
            Map<String, String> read = ask();
            loop.post(() -> answered(read));
        });
    }

    private void answered(Map<String, String> read) {
        asking = false;
        last = read;
        loop.schedule(this, Time.NEVER);
        tick();
    }

    /**
     * Nobody waits any longer.
     */
    @Override
    void tick() {
        List<Use> uses = waiting;
        waiting = List.of();
        uses.forEach(use -> use.of(last));
    }

    private Map<String, String> ask() {
        Map<String, String> all = new HashMap<>(fixed);
        for (Supplier<Map<String, String>> supplier : suppliers) {
            try {
                all.putAll(Map.copyOf(supplier.get()));
            } catch (Throwable thrown) {
                LOG.warn("a metadata supplier threw; what it gave last is used", thrown);
                return last();
            }
        }
        return Map.copyOf(all);
    }

    private Map<String, String> last() {
        return last;
    }
}
