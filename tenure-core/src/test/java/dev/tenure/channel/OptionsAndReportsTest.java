package dev.tenure.channel;

import static dev.tenure.channel.LeaderChannel.Drops;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.InvalidOptionsException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Options with their defaults, and what the log says of drops.
 */
class OptionsAndReportsTest extends ChannelTestBase {

    @Test
    void B57_defaults() {
        LeaderChannel<Integer> channel = timed(options -> {});
        leadership.elect();
        for (int i = 0; i <= 10_000; i++) {
            channel.offer(i);
        }
        assertThat(channel.size()).isEqualTo(10_000);
        assertThat(channel.drops()).isEqualTo(new Drops(0, 1, 0));
        assertThat(newLines()).hasSize(1);
        leadership.lose();
        assertThat(items(channel)).hasSize(10_000).startsWith(1, 2).endsWith(9_999, 10_000);
        pass(Duration.ofMinutes(1).minusNanos(1));
        channel.offer(1);
        assertThat(newLines()).isEmpty();
        pass(Duration.ofNanos(1));
        channel.offer(1);
        assertThat(newLines()).hasSize(1);
    }

    @Test
    void B57_everyViolationIsNamed() {
        LeaderChannel.Builder<Integer> builder =
                LeaderChannel.<Integer>builder(" ", leadership).capacity(0).dropReportInterval(Duration.ZERO);
        assertThatExceptionOfType(InvalidOptionsException.class)
                .isThrownBy(builder::build)
                .withMessage("name must be not blank: name=' '; capacity must be above zero: capacity=0;"
                        + " dropReportInterval must be above zero: dropReportInterval=0s");
        assertThatExceptionOfType(InvalidOptionsException.class)
                .isThrownBy(() -> channel(
                        leadership,
                        options -> options.capacity(-1).dropReportInterval(Duration.ofSeconds(Long.MAX_VALUE))))
                .satisfies(thrown -> assertThat(thrown.violations()).hasSize(2));
        assertThat(leadership.listeners()).isZero();
    }

    @Test
    void R068_theFirstDropIsLoggedAtOnceAndTheNextOnesInASum() {
        LeaderChannel<Integer> channel = timed(options -> options.dropReportInterval(Duration.ofSeconds(10)));
        channel.offer(1);
        assertThat(newLines())
                .hasSize(1)
                .allMatch(line -> line.endsWith(
                        "channel changes dropped 1 items: role=billing follower=1 full=0 loss=0 [channel_dropped]"));
        for (int second = 1; second < 10; second++) {
            pass(Duration.ofSeconds(1));
            channel.offer(1);
        }
        assertThat(newLines()).isEmpty();
        pass(Duration.ofSeconds(1));
        channel.offer(1);
        assertThat(newLines()).hasSize(1).allMatch(line -> line.contains("dropped 10 items"));
        assertThat(channel.drops()).isEqualTo(new Drops(11, 0, 0));
    }

    @Test
    void R068_theTailIsLoggedOnBecomingLeaderAndNoEmptySum() {
        LeaderChannel<Integer> channel = timed(options -> {});
        channel.offer(1);
        channel.offer(1);
        channel.offer(1);
        assertThat(newLines()).hasSize(1);
        leadership.elect();
        assertThat(newLines()).hasSize(1).allMatch(line -> line.contains("dropped 2 items"));
        leadership.lose();
        leadership.elect();
        channel.close();
        assertThat(newLines()).isEmpty();
    }

    @Test
    void R068_B59_theTailIsLoggedOnCloseAndOnlyNewDropsAtTheNext() throws Exception {
        LeaderChannel<Integer> channel = timed(options -> options.capacity(2));
        leadership.elect();
        for (int i = 1; i <= 5; i++) {
            channel.offer(i);
        }
        assertThat(newLines()).hasSize(1).allMatch(line -> line.contains("WARN") && line.contains("full=1"));
        channel.close();
        assertThat(newLines()).hasSize(1).allMatch(line -> line.contains("full=2"));
        leadership.lose();
        channel.close();
        assertThat(newLines()).isEmpty();
        channel.forEach((item, lease) -> {});
        assertThat(newLines()).hasSize(1).allMatch(line -> line.contains("follower=0 full=0 loss=2"));
        channel.close();
        assertThat(newLines()).isEmpty();
    }

    @Test
    void R068_frequentDropsAreSummedUpAfterTheIntervalToo() {
        LeaderChannel<Integer> channel = timed(options -> options.dropReportInterval(Duration.ofSeconds(10)));
        for (int i = 0; i < 1_000; i++) {
            channel.offer(i);
        }
        assertThat(newLines()).hasSize(1);
        pass(Duration.ofSeconds(10));
        for (int i = 0; i < 64; i++) {
            channel.offer(i);
        }
        assertThat(newLines()).hasSize(1);
        leadership.elect();
        assertThat(channel.drops().follower()).isEqualTo(1_064);
    }

    @Test
    void nothingIsLoggedUnderTheLock() {
        LeaderChannel<Integer> channel = timed(options -> options.capacity(1).drainOnLoss(true));
        AtomicInteger lines = new AtomicInteger();
        System.setErr(new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        if (b == '\n') {
                            elsewhere(channel::size);
                            lines.incrementAndGet();
                        }
                    }
                },
                true,
                StandardCharsets.UTF_8));
        channel.offer(1);
        leadership.elect();
        channel.offer(2);
        pass(Duration.ofMinutes(2));
        channel.offer(3);
        leadership.lose();
        channel.close();
        assertThat(lines.get()).isGreaterThanOrEqualTo(3);
        assertThat(channel.drops()).isEqualTo(new Drops(1, 1, 1));
    }

    @Test
    void aLogThatFailsHarmsNobody() {
        LeaderChannel<Integer> channel = timed(options -> {});
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                throw new IllegalStateException("disk full");
            }
        });
        assertThat(channel.offer(1)).isTrue();
        channel.offer(1);
        leadership.elect();
        assertThat(channel.drops()).isEqualTo(new Drops(2, 0, 0));
    }
}
