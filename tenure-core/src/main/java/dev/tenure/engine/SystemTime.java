package dev.tenure.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * The clocks of the machine; the one class that reads them.
 */
public final class SystemTime implements Time {
    private static final long ORIGIN = System.nanoTime();

    public static final SystemTime INSTANCE = new SystemTime();

    private static final Path UPTIME = Path.of("/proc/uptime");

    private volatile boolean hasUptime = true;

    private SystemTime() {}

    /**
     * {@link #now()} of the machine. Counted from the start of this class, so that it does not overflow.
     */
    public static long nanos() {
        return System.nanoTime() - ORIGIN;
    }

    /**
     * The wall clock, for people and for tokens of stores in this process.
     */
    public static Instant wall() {
        return Instant.now();
    }

    @Override
    public long now() {
        return System.nanoTime() - ORIGIN;
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    /**
     * Reads {@code /proc/uptime}, which is kept in memory, has hundredths of a second, counts suspend and is not moved
     * by clock steps.
     */
    @Override
    public long uptimeNanos() {
        if (!hasUptime) {
            return -1;
        }
        try {
            String text = Files.readString(UPTIME, StandardCharsets.US_ASCII);
            double seconds = Double.parseDouble(text.substring(0, text.indexOf(' ')));
            return (long) (seconds * 1e9);
        } catch (NoSuchFileException none) {
            hasUptime = false; // not Linux
            return -1;
        } catch (IOException | RuntimeException notNow) {
            return -1; // no file descriptor, for instance: next time again
        }
    }
}
