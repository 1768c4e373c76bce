package dev.tenure.verification.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A native image has only the resources that the libraries name to it.
 */
class NativeResourcesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern GLOB = Pattern.compile("\"glob\": \"([^\"]+)\"");

    /**
     * The folders of all libraries' resources; the command is none.
     */
    private static List<Path> resourceFolders() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.filter(module -> module.getFileName().toString().startsWith("tenure-"))
                    .filter(module -> !module.endsWith("tenure-cli"))
                    .map(module -> module.resolve("src/main/resources"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    private static List<PathMatcher> named(Path folder) throws IOException {
        Path metadata = folder.resolve("META-INF/native-image/dev.tenure")
                .resolve(folder.getParent().getParent().getParent().getFileName())
                .resolve("reachability-metadata.json");
        List<PathMatcher> named = new ArrayList<>();
        if (Files.exists(metadata)) {
            Matcher globs = GLOB.matcher(Files.readString(metadata));
            while (globs.find()) {
                named.add(FileSystems.getDefault().getPathMatcher("glob:" + globs.group(1)));
            }
        }
        return named;
    }

    @Test
    void everyResourceIsNamed() throws IOException {
        List<Path> found = new ArrayList<>();
        List<Path> missing = new ArrayList<>();
        for (Path folder : resourceFolders()) {
            List<PathMatcher> named = named(folder);
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(Files::isRegularFile)
                        .map(folder::relativize)
                        .filter(file -> file.startsWith("dev"))
                        .forEach(file -> {
                            found.add(file);
                            if (named.stream().noneMatch(glob -> glob.matches(file))) {
                                missing.add(file);
                            }
                        });
            }
        }
        assertThat(found).contains(Path.of("dev/tenure/redis/acquire.lua"), Path.of("dev/tenure/jdbc/fence.sql"));
        assertThat(missing).isEmpty();
    }
}
