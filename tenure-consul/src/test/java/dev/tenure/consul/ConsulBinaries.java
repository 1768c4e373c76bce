package dev.tenure.consul;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The program of a test run: from the folder that {@code TENURE_CONSUL_BIN} names, else from {@code PATH}, else what
 * {@code build/servers.sh} fetched. Where there is none, tests are skipped; in CI they fail.
 */
final class ConsulBinaries {
    private static final String NONE = "no consul: run build/servers.sh consul";
    private static final Optional<Path> CONSUL = find();

    private ConsulBinaries() {}

    static Path consul() {
        if (CONSUL.isEmpty()) {
            if (Boolean.getBoolean("tenure.ci") || "true".equals(System.getenv("CI"))) {
                throw new AssertionError(NONE);
            }
            Assumptions.abort(NONE);
        }
        return CONSUL.get();
    }

    private static Optional<Path> find() {
        return folders().stream()
                .map(folder -> folder.resolve("consul"))
                .filter(file -> Files.isExecutable(file) && Files.isRegularFile(file))
                .findFirst();
    }

    private static List<Path> folders() {
        String named = System.getenv("TENURE_CONSUL_BIN");
        if (named != null && !named.isEmpty()) {
            return List.of(Path.of(named));
        }
        List<Path> folders = new ArrayList<>();
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .forEach(folders::add);
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("verify"))) {
                folders.add(folder.resolve(".servers/consul/bin"));
            }
        }
        return folders;
    }
}
