package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What is logged while changes are not heard of.
 */
@Isolated("reads the log")
class OutageTest {

    @Test
    void B46_R059_anOutageOfWakeUpsHasOneLineAndItsEndAnother() {
        String where = "http://" + UUID.randomUUID();
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            Outage outage = new Outage(where);
            outage.seen(new IOException("refused"));
            outage.seen(new IOException("refused again"));
            outage.over();
            outage.over();
            outage.close();
            outage.seen(new IOException("closed"));
        } finally {
            System.setErr(before);
        }
        assertThat(written.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains(where)))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("WARN dev.tenure.consul.Outage")
                                .endsWith("changes are not heard of, each may cost seconds: refused store=consul where="
                                        + where + " [wakeups_lost]"),
                        line -> assertThat(line)
                                .contains("INFO dev.tenure.consul.Outage")
                                .endsWith("changes are heard of again: " + where + " store=consul [wakeups_regained]"));
    }
}
