package dev.tenure.redis;

import dev.tenure.ElectionOptions;
import dev.tenure.spi.Finding;
import dev.tenure.spi.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A server asked for its time some times in a row: how soon it answers, and how its clock goes.
 */
final class Samples {
    private static final int COUNT = 20;
    private static final Duration PAUSE = Duration.ofMillis(10);

    /**
     * A tenth of what a renewal of the default lease is given.
     */
    private static final long SLOW_NANOS =
            ElectionOptions.defaults().callTimeout().dividedBy(10).toNanos();

    private static final long FAR_MICROS = Duration.ofSeconds(2).toMillis() * 1_000;
    private static final long STEP_MICROS = Duration.ofMillis(20).toMillis() * 1_000;

    /**
     * One answer.
     *
     * @param sent monotonic, in ns, as is {@code received}
     * @param local this machine's wall clock when it came, in µs
     * @param server the server's in µs; none if it may not be asked
     */
    record Sample(long sent, long received, long local, OptionalLong server) {
        long nanos() {
            return received - sent;
        }
    }

    private final List<Sample> all;

    Samples(List<Sample> all) {
        this.all = List.copyOf(all);
    }

    /**
     * Fails if the server gives no answer.
     */
    static CompletionStage<Samples> take(ServerNode node, Connector connector) {
        CompletionStage<List<Sample>> taken =
                one(node).thenCompose(first -> one(node)).thenApply(second -> new ArrayList<>(List.of(second)));
        for (int i = 1; i < COUNT; i++) {
            taken = taken.thenCompose(
                    so -> pause(connector).thenCompose(now -> one(node)).thenApply(sample -> {
                        so.add(sample);
                        return so;
                    }));
        }
        return taken.thenApply(Samples::new);
    }

    private static CompletionStage<Sample> one(ServerNode node) {
        long sent = System.nanoTime();
        return node.call(server -> server.time().thenApply(time -> time)).handle((time, failed) -> {
            long received = System.nanoTime();
            long local = Tokens.micros(Instant.now());
            if (failed != null && Trouble.answerOf(failed).isEmpty()) {
                throw Trouble.asStoreException(node.name(), failed);
            }
            OptionalLong server = failed != null || time.size() < 2
                    ? OptionalLong.empty()
                    : OptionalLong.of(Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1)));
            return new Sample(sent, received, local, server);
        });
    }

    private static CompletionStage<Void> pause(Connector connector) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        connector.later(PAUSE, () -> over.complete(null));
        return over;
    }

    Finding latency() {
        long[] times = all.stream().mapToLong(Sample::nanos).sorted().toArray();
        long worst = times[times.length - 1];
        String seen = "median " + millis(times[times.length / 2]) + ", worst " + millis(worst) + " of " + times.length
                + " round trips";
        if (worst <= SLOW_NANOS) {
            return Finding.ok("latency", seen);
        }
        return Finding.advice(
                "latency",
                seen,
                "a renewal of the default lease of 15 s is given 4 s; some times the worst seen here, and a leader stands"
                        + " down although nothing is broken",
                "look for what is slow (SLOWLOG GET, redis-cli --latency, the network), or a lease of "
                        + Math.max(1, worst * 40 / 1_000_000_000L) + " s or more");
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }

    /**
     * @param counter tokens are counted, not made from this clock
     */
    Finding clock(boolean counter) {
        List<Sample> known =
                all.stream().filter(each -> each.server().isPresent()).toList();
        if (known.isEmpty()) {
            return Finding.unknown("clock", "not told: TIME is not permitted", "ACL SETUSER USER +time");
        }
        long step = largestStep(known);
        if (step != 0) {
            return Finding.problem(
                    "clock",
                    "the server's was set by " + shown(step) + " while looking",
                    "Redis ends leases by this clock: a step forward by more than the safety margin (lease/10) lets a"
                            + " second leader in; a step back keeps a dead leader's role that much longer",
                    "let NTP slew the clock instead of setting it (chrony: makestep 1 3)");
        }
        Sample best =
                known.stream().min(Comparator.comparingLong(Sample::nanos)).orElseThrow();
        long ahead = best.server().orElseThrow() - (best.local() - best.nanos() / 2_000);
        String seen = "the server's is " + shown(Math.abs(ahead)) + (ahead < 0 ? " behind" : " ahead of")
                + " this machine's, to " + shown(best.nanos() / 2_000) + "; not set while looking";
        if (Math.abs(ahead) < FAR_MICROS || counter) {
            return Finding.ok("clock", seen);
        }
        return Finding.advice(
                "clock",
                seen,
                "leases do not mind, but tokens are made from the server's clock: those of a clock that is ahead stay high"
                        + " after it is corrected, and a server with a right clock that does not know them makes lower"
                        + " ones, or from a day on refuses them as implausible",
                "find out which of the two clocks is wrong, and keep both by NTP");
    }

    /**
     * How much the server's clock moved beyond what can have passed between two answers, in µs; 0 if it did not.
     */
    private static long largestStep(List<Sample> known) {
        long largest = 0;
        for (int i = 1; i < known.size(); i++) {
            Sample before = known.get(i - 1);
            Sample after = known.get(i);
            long moved = after.server().orElseThrow() - before.server().orElseThrow();
            long least = (after.sent() - before.received()) / 1_000;
            long most = (after.received() - before.sent()) / 1_000;
            long step = moved > most + STEP_MICROS ? moved - most : moved < least - STEP_MICROS ? moved - least : 0;
            largest = Math.abs(step) > Math.abs(largest) ? step : largest;
        }
        return largest;
    }

    private static String shown(long micros) {
        return Math.abs(micros) < 1_000_000
                ? millis(micros * 1_000)
                : String.format(Locale.ROOT, "%.1f s", micros / 1e6);
    }
}
