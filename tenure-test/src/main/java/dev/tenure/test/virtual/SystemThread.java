package dev.tenure.test.virtual;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the operating system knows of a thread. One that was let go is runnable from then on, although Java shows it as
 * waiting until it gets a processor.
 */
final class SystemThread {
    private final @Nullable Path stat;

    private SystemThread(@Nullable Path stat) {
        this.stat = stat;
    }

    /**
     * The thread that calls; nothing is known of it where there is no Linux.
     */
    static SystemThread ofCaller() {
        try {
            Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            return new SystemThread(Path.of("/proc").resolve(self).resolve("stat"));
        } catch (IOException | RuntimeException unknown) {
            return new SystemThread(null);
        }
    }

    /**
     * Runs, or would if it had a processor. False if nothing is known.
     */
    boolean isRunnable() {
        if (stat == null) {
            return false;
        }
        try {
            String told = Files.readString(stat);
            int state = told.lastIndexOf(')') + 2; // what is in the brackets is a name, perhaps with brackets
            return state > 1 && state < told.length() && told.charAt(state) == 'R';
        } catch (IOException | RuntimeException ended) {
            return false;
        }
    }
}
