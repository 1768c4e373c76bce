package dev.tenure.cli;

import dev.tenure.LeaseStores;
import dev.tenure.spi.LeaseStore;
import java.io.File;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Which store, as options of every command.
 */
final class StoreOptions {
    static final String VARIABLE = "TENURE_STORE";
    private static final String MEMORY = "memory:";
    private static final String SQLITE = "jdbc:sqlite:";
    private static final String POSTGRESQL = "jdbc:postgresql://";
    private static final Pattern PORT =
            Pattern.compile("0*(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d\\d|655[0-2]\\d|6553[0-5])");

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = {
                "The store. Default: $" + VARIABLE
                        + ", else SQLite in $XDG_STATE_HOME/tenure or ~/.local/state/tenure.",
                "A password or token is better kept in $" + VARIABLE + " than here, where ps shows it."
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
        refuseLocation();
        try {
            return LeaseStores.open(url(), namespace == null ? Map.of() : Map.of("namespace", namespace));
        } catch (IllegalArgumentException wrong) {
            throw CommandFailure.usage(Secrets.hideUrl(shown(Text.reason(wrong))));
        }
    }

    /**
     * As {@link #open()}, for commands that look at what other processes do.
     */
    LeaseStore openShared() {
        refuseMemory("a store that other processes share: it lives and ends with one process");
        return open();
    }

    /**
     * As {@link #openShared()}, for commands that make nothing.
     */
    LeaseStore openExisting() {
        refuseMemory("a store that other processes share: it lives and ends with one process");
        String url = url();
        if (url.startsWith(SQLITE)) {
            String file = url.substring(SQLITE.length()).split("\\?", 2)[0];
            boolean named = !file.isEmpty() && file.charAt(0) != ':' && !file.startsWith("file:");
            if (named && !new File(file).exists()) {
                throw CommandFailure.usage("no such database: " + Text.oneLine(file));
            }
        }
        return open();
    }

    /**
     * The library calls it store, whoever called the command by another name.
     */
    private String shown(String message) {
        if (message.startsWith("namespace ")) {
            return "--" + message;
        }
        if (!message.startsWith("store ")) {
            return source() + ": " + message;
        }
        int value = message.indexOf(": store=");
        boolean path = url().matches("[\\w./ -]+"); // forgotten jdbc:sqlite:, and nothing to hide
        if (path && value > 0 && message.startsWith("store must begin ")) {
            return source() + message.substring("store".length(), value) + " but is " + url();
        }
        String own = source() + message.substring("store".length());
        return message.startsWith("store must begin ")
                ? own.replace(": store=", " but is ")
                : own.replace(": store=", ": " + source() + "=");
    }

    /**
     * What the driver reads as a part of the host, and would print.
     */
    private void refuseLocation() {
        String url = url();
        if (!url.startsWith(POSTGRESQL)) {
            return;
        }
        String location = url.substring(POSTGRESQL.length()).split("\\?", 2)[0];
        if (location.contains("@")) {
            throw CommandFailure.usage(source() + " must give user and password as its parameters user and password,"
                    + " not before the host: " + source() + "=" + POSTGRESQL + "***");
        }
        for (String host : location.split("/", 2)[0].split(",", -1)) {
            int colon = host.lastIndexOf(':');
            String port = host.substring(colon + 1);
            if (colon > host.lastIndexOf(']') && !PORT.matcher(port).matches()) {
                String shown = port.matches("\\d+") ? port : "***";
                throw CommandFailure.usage(source() + " must have a port of 1 to 65535 after the colon, and user and"
                        + " password as its parameters user and password: port=" + shown);
            }
        }
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
