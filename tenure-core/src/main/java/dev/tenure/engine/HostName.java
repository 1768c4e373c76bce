package dev.tenure.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How this process is called. Asks no name service, which can take long.
 */
final class HostName {
    private HostName() {}

    static String ofProcess() {
        String host = fromEnvironment("HOSTNAME")
                .or(() -> fromEnvironment("COMPUTERNAME"))
                .or(HostName::fromFile)
                .orElse("localhost");
        return host + ":" + ProcessHandle.current().pid();
    }

    private static Optional<String> fromEnvironment(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }

    private static Optional<String> fromFile() {
        try {
            return Optional.of(Files.readString(Path.of("/proc/sys/kernel/hostname"))
                            .strip())
                    .filter(name -> !name.isEmpty());
        } catch (IOException | RuntimeException none) {
            return Optional.empty();
        }
    }
}
