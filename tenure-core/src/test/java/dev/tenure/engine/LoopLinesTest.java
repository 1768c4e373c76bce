package dev.tenure.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the loop logs of itself.
 */
class LoopLinesTest {

    @Test
    void B46_aFaultOfTheLoopIsAnErrorAndEndsNothing() {
        ElectionLoop loop = new ElectionLoop(SystemTime.INSTANCE);
        List<String> done = new ArrayList<>();
        loop.post(() -> {
            throw new IllegalStateException("in the loop");
        });
        loop.post(() -> done.add("the next"));
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            loop.turn();
        } finally {
            System.setErr(before);
        }
        assertThat(done).containsExactly("the next");
        assertThat(written.toString(StandardCharsets.UTF_8).lines().limit(2))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .endsWith("ERROR dev.tenure.engine.ElectionLoop - the election loop survived a fault"
                                        + " [loop_faulted]"),
                        line -> assertThat(line).isEqualTo("java.lang.IllegalStateException: in the loop"));
    }
}
