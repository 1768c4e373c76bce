package dev.tenure.consul;

import dev.tenure.spi.Finding;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the servers make of a session.
 */
final class SessionFindings {
    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(15);
    private static final Pattern BOUNDS = Pattern.compile("must be between \\[([0-9a-z]+)=");
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(h|ms|m|s)");

    private SessionFindings() {}

    /**
     * The shortest time of sessions, as a refusal tells it.
     */
    static Optional<Duration> shortest(String refusal) {
        Matcher bounds = BOUNDS.matcher(refusal);
        if (!refusal.contains("Invalid Session TTL") || !bounds.find()) {
            return Optional.empty();
        }
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(bounds.group(1));
        while (part.find()) {
            long number = Long.parseLong(part.group(1));
            sum = sum.plus(
                    switch (part.group(2)) {
                        case "h" -> Duration.ofHours(number);
                        case "m" -> Duration.ofMinutes(number);
                        case "s" -> Duration.ofSeconds(number);
                        default -> Duration.ofMillis(number);
                    });
        }
        return sum.isZero() ? Optional.empty() : Optional.of(sum);
    }

    static Finding time(Duration shortest) {
        String subject = "session_ttl_min";
        String seen = "sessions of " + shown(shortest) + " are the shortest";
        if (shortest.compareTo(ConsulStore.SHORTEST_LEASE) <= 0) {
            return Finding.ok(subject, seen);
        }
        String toDo = "session_ttl_min = \"10s\" in the servers' configuration, or a lease of " + shown(shortest)
                + " or more";
        return shortest.compareTo(DEFAULT_LEASE) > 0
                ? Finding.problem(
                        subject,
                        seen,
                        "with a shorter lease, as the default of 15 s, nobody is elected: sessions are refused (Invalid"
                                + " Session TTL)",
                        toDo)
                : Finding.advice(
                        subject,
                        seen,
                        "with a shorter lease nobody is elected: sessions are refused (Invalid Session TTL)",
                        toDo);
    }

    /**
     * @param wanted by the options
     * @param session as the server has it, in JSON; absent if it could not be read
     */
    static Finding lockDelay(Duration wanted, @Nullable Object session) {
        String subject = "lock delay";
        if (session != null) {
            Duration kept = Duration.ofNanos(Json.number(session, "LockDelay"));
            if (!kept.equals(wanted)) {
                return Finding.problem(
                        subject,
                        shown(kept) + ", although " + shown(wanted) + " was asked for",
                        kept.compareTo(wanted) < 0
                                ? "a holder that loses its session early has less time to notice before another leads"
                                : "take-overs last longer than tenure says",
                        "look for what changes requests between here and the servers; or lockDelay=" + shown(kept)
                                + " in the URL");
            }
        }
        if (wanted.isZero()) {
            return Finding.advice(
                    subject,
                    "0s",
                    "when a session ends early (destroyed by somebody, or by a node check) another leads at once, while"
                            + " a holder that is cut off believes until its deadline",
                    "lockDelay of at least the lease, as the default of 15s; a fence makes it harmless");
        }
        return Finding.ok(subject, shown(wanted) + (session == null ? "" : ", as the servers keep it"));
    }

    /**
     * @param wanted by the options
     * @param session as the server has it, in JSON
     */
    static Finding nodeChecks(List<String> wanted, @Nullable Object session) {
        List<?> kept = Json.list(Json.field(session, "NodeChecks"));
        String seen = String.join(", ", wanted);
        return kept.equals(wanted)
                ? Finding.advice(
                        "node checks",
                        seen,
                        "leadership ends within seconds when one turns critical, although the leader is well; a short"
                                + " trouble of the agent's node is enough",
                        "no nodeChecks in the URL, if the end of the session is soon enough")
                : Finding.problem(
                        "node checks",
                        kept + " were kept, although " + seen + " was asked for",
                        "leadership does not end when a check turns critical",
                        "look for what changes requests between here and the servers");
    }

    static String shown(Duration time) {
        return time.toMillis() % 1_000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    }
}
