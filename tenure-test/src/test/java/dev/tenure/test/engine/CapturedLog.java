package dev.tenure.test.engine;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What is logged while a test runs, instead of on standard error.
 */
final class CapturedLog implements AutoCloseable {
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    CapturedLog() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    /**
     * The lines of one level, stack traces not among them.
     */
    List<String> lines(String level) {
        return text().lines()
                .filter(line -> line.contains(level + " dev.tenure"))
                .toList();
    }

    List<String> lines(String level, String with) {
        return lines(level).stream().filter(line -> line.contains(with)).toList();
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
