package dev.tenure.cli;

import dev.tenure.LeaseStores;
import dev.tenure.spi.LeaseStore;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Which store, as options of every command.
 */
final class StoreOptions {
    static final String VARIABLE = "TENURE_STORE";
    private static final String MEMORY = "memory:";

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = {
                "The store. Default: $" + VARIABLE
                        + ", else SQLite in $XDG_STATE_HOME/tenure or ~/.local/state/tenure.",
                "A password is better kept in $" + VARIABLE + " than here, where ps shows it."
            })
    @Nullable
    String given;

    @Option(names = "--namespace", paramLabel = "N", description = "Keeps the roles of one group apart from others'.")
    @Nullable
    String namespace;

    /**
     * Opens the store, without waiting for it to be reachable.
     *
     * @throws CommandFailure naming what is wrong with the URL or its folder
     */
    LeaseStore open() {
        try {
            return LeaseStores.open(url(), namespace == null ? Map.of() : Map.of("namespace", namespace));
        } catch (IllegalArgumentException wrong) {
            throw CommandFailure.usage(source() + ": " + Secrets.hideUrl(Text.reason(wrong)));
        }
    }

    /**
     * As {@link #open()}, for commands that look at what other processes do.
     */
    LeaseStore openShared() {
        refuseMemory("a store that other processes share: it lives and ends with one process");
        return open();
    }

    private void refuseMemory(String bound) {
        if (url().startsWith(MEMORY)) {
            throw CommandFailure.usage(
                    source() + " must be " + bound + ": " + source() + "=" + Secrets.hideUrl(Text.oneLine(url())));
        }
    }

    /**
     * Where the URL is from, for messages.
     */
    private String source() {
        if (given != null) {
            return "--store";
        }
        return environment() != null ? VARIABLE : "default store";
    }

    /**
     * Whether a store was named, by option or environment.
     */
    boolean isGiven() {
        return given != null || environment() != null;
    }

    String url() {
        if (given != null) {
            return given;
        }
        String environment = environment();
        return environment != null ? environment : StateFolder.storeUrl(System.getenv());
    }

    private static @Nullable String environment() {
        String url = System.getenv(VARIABLE);
        return url == null || url.isEmpty() ? null : url;
    }
}
