package dev.tenure.cli;

import java.util.Locale;
import java.util.function.Consumer;

/**
 * Lines with the time since the beginning. Thread-safe.
 */
final class Timeline {
    private final Consumer<String> out;
    private final long start = System.nanoTime();
    private boolean ended;

    Timeline(Consumer<String> out) {
        this.out = out;
    }

    /**
     * A new part of the story.
     */
    void step(String title) {
        say("");
        say(at(System.nanoTime()) + title);
    }

    /**
     * Something that happened to somebody, at a time of {@link System#nanoTime()}.
     */
    void happened(long nanos, String who, String what) {
        say(at(nanos) + String.format("  %-4s%s", who, what));
    }

    synchronized void say(String line) {
        if (!ended) {
            out.accept(line);
        }
    }

    /**
     * Nothing is told any more.
     */
    synchronized void end() {
        ended = true;
    }

    private String at(long nanos) {
        return String.format(Locale.ROOT, "%7.2fs  ", (nanos - start) / 1e9);
    }
}
