package dev.tenure.test;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Where user code called a double from.
 */
final class FakeOrigin {
    private static final int FRAMES = 3;
    private static final List<String> OWN =
            List.of("dev.tenure.test.Fake", "dev.tenure.channel.", "dev.tenure.engine.", "dev.tenure.schedule.");
    private static final List<String> OUTSIDE = List.of("java.", "jdk.", "org.junit.");

    private FakeOrigin() {}

    /**
     * The innermost frames of user code, one a line.
     */
    static String here() {
        return StackWalker.getInstance()
                .walk(frames -> frames.dropWhile(frame -> isOf(frame, OWN) || isOf(frame, OUTSIDE))
                        .takeWhile(frame -> !isOf(frame, OUTSIDE))
                        .limit(FRAMES)
                        .map(frame -> "at " + frame.toStackTraceElement())
                        .collect(Collectors.joining("\n    ")));
    }

    private static boolean isOf(StackWalker.StackFrame frame, List<String> names) {
        return names.stream().anyMatch(frame.getClassName()::startsWith);
    }
}
