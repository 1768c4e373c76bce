package dev.tenure.consul;

import dev.tenure.log.LogLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was made of files, made anew when they have changed. Files that cannot be used, perhaps since they are just being
 * written, leave what was made last.
 */
final class Reloaded<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Reloaded.class);

    private final SortedMap<String, Path> files;
    private final Supplier<T> maker;
    private Optional<T> last = Optional.empty();
    private List<Stamp> read = List.of();
    private boolean failing;

    /**
     * @param files by the options that name them
     * @param maker throws {@link IllegalArgumentException}, naming option and file, if it cannot use them
     */
    Reloaded(Map<String, Path> files, Supplier<T> maker) {
        this.files = new TreeMap<>(files);
        this.maker = maker;
    }

    /**
     * Reads files, on the caller's thread.
     *
     * @throws IllegalArgumentException if they cannot be used, and never could
     */
    synchronized T now() {
        try {
            List<Stamp> present = stamps();
            if (last.isEmpty() || !present.equals(read)) {
                last = Optional.of(maker.get());
                read = present;
            }
            failing = false;
        } catch (IllegalArgumentException unusable) {
            if (last.isEmpty()) {
                throw unusable;
            }
            if (!failing) {
                failing = true;
                LogLine.of(LOG, ConsulEvent.FILES_UNUSABLE)
                        .with("error", unusable.getMessage())
                        .write();
            }
        }
        return last.orElseThrow();
    }

    private List<Stamp> stamps() {
        List<Stamp> stamps = new ArrayList<>();
        for (Map.Entry<String, Path> file : files.entrySet()) {
            try {
                stamps.add(Stamp.of(file.getValue()));
            } catch (IOException missing) {
                throw new IllegalArgumentException(unreadable(file.getKey(), file.getValue()), missing);
            }
        }
        return stamps;
    }

    static String unreadable(String option, Path file) {
        return option + " must be a readable file: " + option + "=" + file;
    }
}
