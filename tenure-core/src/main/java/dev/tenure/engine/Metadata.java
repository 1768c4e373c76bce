package dev.tenure.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an instance announces: fixed, and as its suppliers say at each acquisition. While a supplier does not answer,
 * what it gave last is used.
 */
final class Metadata {
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

    Metadata(Map<String, String> fixed, List<Supplier<Map<String, String>>> suppliers, ElectionLoop loop, Users users) {
        this.fixed = fixed;
        this.suppliers = suppliers;
        this.loop = loop;
        this.users = users;
        this.last = fixed;
    }

    /**
     * Gives the present metadata to {@code use}, on the loop; at once if there is nothing to ask.
     */
    void read(Use use) {
        if (suppliers.isEmpty() || asking) {
            use.of(last);
            return;
        }
        asking = true;
        users.run("metadata supplier", null, () -> {
            Map<String, String> read = ask();
            loop.post(() -> {
                asking = false;
                last = read;
                use.of(read);
            });
        });
    }

    private Map<String, String> ask() {
        Map<String, String> all = new HashMap<>(fixed);
        for (Supplier<Map<String, String>> supplier : suppliers) {
            try {
                all.putAll(supplier.get());
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
