package dev.tenure.consul;

import dev.tenure.ElectionOptions;
import dev.tenure.spi.Finding;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * A session that is nobody's, read some times in a row: how soon the agent answers, and whether the answer is of now.
 */
final class Readings {
    private static final int COUNT = 10;

    /**
     * A tenth of what a renewal of the default lease is given.
     */
    private static final long SLOW_NANOS =
            ElectionOptions.defaults().callTimeout().dividedBy(10).toNanos();

    private final List<Long> times = new ArrayList<>();
    private HttpResponse<String> last;

    private Readings(HttpResponse<String> first) {
        last = first;
    }

    static Readings take(Inquiry inquiry) {
        String path = "/v1/session/info/" + UUID.randomUUID(); // needs no right
        Readings readings = new Readings(inquiry.get(path)); // with connecting
        for (int i = 0; i < COUNT; i++) {
            long sent = System.nanoTime();
            readings.last = inquiry.get(path);
            readings.times.add(System.nanoTime() - sent);
        }
        return readings;
    }

    Finding latency() {
        List<Long> sorted = times.stream().sorted().toList();
        long worst = sorted.get(sorted.size() - 1);
        String seen = "median " + millis(sorted.get(sorted.size() / 2)) + ", worst " + millis(worst) + " of "
                + sorted.size() + " round trips";
        return worst <= SLOW_NANOS
                ? Finding.ok("latency", seen)
                : Finding.advice(
                        "latency",
                        seen,
                        "a renewal of the default lease of 15 s is given 4 s; some times the worst seen here, and a"
                                + " leader stands down although nothing is broken",
                        "look for what is slow (the servers' disks, the network, consul monitor), or a lease of "
                                + Math.max(1, worst * 40 / 1_000_000_000L) + " s or more");
    }

    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }

    Finding consistency() {
        return consistency(header("X-Consul-KnownLeader"), header("X-Consul-LastContact"), header("X-Cache"));
    }

    private Optional<String> header(String name) {
        return last.headers().firstValue(name);
    }

    /**
     * @param known whether the server that answered knew a leader; absent if the answer does not say
     * @param contact in ms, how long ago it had heard of the leader
     * @param cache whether the agent's cache answered
     */
    static Finding consistency(Optional<String> known, Optional<String> contact, Optional<String> cache) {
        String subject = "consistency";
        if (known.isEmpty() || contact.isEmpty()) {
            return Finding.unknown(
                    subject,
                    "the answers do not say how old they are: X-Consul-KnownLeader or X-Consul-LastContact is missing",
                    "the agent itself in the URL, or a proxy that keeps these headers, so that it can be seen");
        }
        String seen = "X-Consul-KnownLeader " + known.get() + ", X-Consul-LastContact " + contact.get() + " ms"
                + cache.map(hit -> ", X-Cache " + hit).orElse("");
        return known.get().equals("true") && contact.get().equals("0") && !cache.equals(Optional.of("HIT"))
                ? Finding.ok(subject, seen)
                : Finding.problem(
                        subject,
                        seen,
                        "answers are old ones: a leader whose key was taken may be told that it still has it, and"
                                + " candidates hear late of a release",
                        "look for what makes reads stale: a proxy that adds ?stale or ?cached, or answers itself");
    }
}
