package dev.tenure.cli;

import dev.tenure.LeaseStores;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.StoreTraits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a demonstration takes place: a role that nobody else uses, its store and its registers. Removed at the end.
 *
 * @param folder temporary
 * @param prefix of the registers' tables
 */
record DemoPlace(
        Path folder, String leaseUrl, @Nullable String namespace, String registerUrl, String role, String prefix)
        implements AutoCloseable {

    static DemoPlace make(StoreOptions store) {
        try {
            Path folder = Files.createTempDirectory("tenure-demo-");
            String id = Long.toHexString(ProcessHandle.current().pid()) + "_"
                    + Long.toHexString(System.nanoTime() & 0xffffff);
            String files = "jdbc:sqlite:" + folder;
            String leases = store.isGiven() ? store.url() : files + "/leases.db";
            boolean database = leases.startsWith("jdbc:") && !leases.startsWith("jdbc:sqlite:");
            return new DemoPlace(
                    folder,
                    leases,
                    store.namespace,
                    database ? leases : files + "/registers.db",
                    "demo-" + id,
                    "tenure_demo_" + id + "_");
        } catch (IOException cannot) {
            throw CommandFailure.unusable("a temporary folder cannot be made: " + Text.reason(cannot));
        }
    }

    /**
     * Of the store, whether or not it can be reached.
     */
    StoreTraits traits() {
        try (LeaseStore store = LeaseStores.open(leaseUrl)) {
            return store.traits();
        }
    }

    Registers registers() {
        try {
            return Registers.open(registerUrl, prefix);
        } catch (SQLException cannot) {
            throw CommandFailure.unusable("the registers cannot be opened: " + Text.reason(cannot));
        }
    }

    /**
     * Removes tables and files; what cannot be removed is left. Idempotent.
     */
    @Override
    public void close() {
        if (!Files.exists(folder)) {
            return;
        }
        try (Registers registers = Registers.open(registerUrl, prefix)) {
            registers.drop();
        } catch (SQLException left) {
            // in a file that is deleted below, or in a database that has gone away
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            List<Path> all = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path path : all) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException left) {
            // in the system's temporary folder
        }
    }

    Optional<String> namespaceIfAny() {
        return Optional.ofNullable(namespace);
    }
}
