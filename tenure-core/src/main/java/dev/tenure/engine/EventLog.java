package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.StoreRejectedException;
import dev.tenure.TokenImplausibleException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The log of a Tenure: a line per term and its end, and per outage of the store one when it begins, one every half
 * minute, one when it is over, however many elections it concerns. Contention is no event. Lines are made on the loop
 * and written, in order, on a thread that may wait for whatever the log writes to.
 */
final class EventLog {
    private static final Logger LOG = LoggerFactory.getLogger("dev.tenure");
    private static final long REMINDER = TimeUnit.SECONDS.toNanos(30);

    /**
     * Nobody mends a permission within seconds.
     */
    private static final long REFUSED_REMINDER = TimeUnit.SECONDS.toNanos(60);

    private final String store;
    private final Time time;
    private final Mailbox writer;
    private final Map<Participant, Throwable> failing = new HashMap<>(); // the loop's
    private final Set<String> uncoordinated = new HashSet<>(); // roles that were told, the loop's
    private long since;
    private long lastLine;

    /**
     * @param writers whose threads write
     */
    EventLog(String store, Time time, Users writers) {
        this.store = store;
        this.time = time;
        writer = new Mailbox(writers);
    }

    /**
     * Writes later what was composed now.
     */
    private void line(Level level, String format, Object... values) {
        if (LOG.isEnabledForLevel(level)) {
            write(() -> LOG.atLevel(level).log(format, values));
        }
    }

    /**
     * @param line must not depend on what the loop does next
     */
    void write(Runnable line) {
        writer.add(new UserTask(null, line, unheard -> {}));
    }

    /**
     * Complete when all lines so far are written.
     */
    CompletableFuture<Void> written() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        write(() -> done.complete(null));
        return done;
    }

    void elected(TermHandle handle, String key) {
        line(Level.INFO, "elected: {} term={} key={} store={}", handle.toString(), handle.term(), key, store);
    }

    void lost(TermHandle handle, LossReason reason, Duration held) {
        if (reason.isVoluntary()) {
            line(Level.INFO, "leadership ended: {} held={}s", handle.toString(), held.toSeconds());
        } else {
            line(Level.WARN, "leadership lost: {} held={}s", handle.toString(), held.toSeconds());
        }
    }

    void released(TermHandle handle, ReleaseOutcome outcome) {
        if (outcome == ReleaseOutcome.RELEASED) {
            line(Level.INFO, "released: {}", handle.toString());
        } else {
            line(Level.WARN, "not released: {} {}", handle.toString(), outcome);
        }
    }

    void storeFailing(Participant of, Throwable error) {
        long now = time.now();
        boolean first = failing.isEmpty();
        failing.put(of, error);
        if (first) {
            since = now;
            lastLine = now;
            line(
                    Level.WARN,
                    "store {}: {} role={}; trying again until it answers",
                    howItFails(error),
                    store,
                    of.role(),
                    error);
        }
    }

    private static String howItFails(Throwable error) {
        if (error instanceof TokenImplausibleException) {
            return "grants nothing, since a token cannot be right";
        }
        return error instanceof StoreRejectedException ? "refuses this client" : "gives no answer";
    }

    /**
     * To be called now and then.
     */
    void remind() {
        long now = time.now();
        if (failing.isEmpty() || now - lastLine < (isRefused() ? REFUSED_REMINDER : REMINDER)) {
            return;
        }
        lastLine = now;
        long asking = failing.keySet().stream().filter(EventLog::asks).count();
        if (asking > 0) {
            line(
                    Level.WARN,
                    "store still fails: {} for {}s, elections={}, last: {}",
                    store,
                    TimeUnit.NANOSECONDS.toSeconds(now - since),
                    asking,
                    String.valueOf(failing.values().iterator().next()));
        }
    }

    private boolean isRefused() {
        return failing.values().stream().allMatch(StoreRejectedException.class::isInstance);
    }

    /**
     * Whether it would notice that the store is well again.
     */
    private static boolean asks(Participant of) {
        Phase phase = of.election().phase();
        return !(phase instanceof Leaving || phase instanceof Idle);
    }

    void storeRecovered(Participant of) {
        if (failing.remove(of) != null && failing.isEmpty()) {
            line(
                    Level.INFO,
                    "store answers again: {} after {}s",
                    store,
                    TimeUnit.NANOSECONDS.toSeconds(time.now() - since));
        }
    }

    /**
     * It stands no longer, so that its outage is nobody's.
     */
    void forget(Participant of) {
        failing.remove(of);
    }

    void tokenRegressed(String role, long granted, long highest) {
        line(
                Level.ERROR,
                "token {} of {} is not above {}, seen before: the store {} was restored or exchanged; not leading."
                        + " After a check: tenure fence accept {}",
                granted,
                role,
                highest,
                store,
                role);
    }

    void wallClockJumped(Duration by) {
        line(Level.WARN, "the wall clock jumped by {} ms; leases are renewed now", by.toMillis());
    }

    void suspended(Duration length) {
        line(
                Level.WARN,
                "this machine was suspended for {} ms; leases with a smaller margin are given up",
                length.toMillis());
    }

    /**
     * Once per role.
     */
    void uncoordinated(String role, boolean leads) {
        if (uncoordinated.add(role)) {
            line(
                    Level.WARN,
                    "store {} does not coordinate: {} {} (whenUncoordinated)",
                    store,
                    role,
                    leads ? "is led by every instance at once" : "is never led here");
        }
    }

    /**
     * Says how long a failure keeps an instance away.
     *
     * @param pause in ns
     * @param decides the options that decide it
     */
    void backsOff(String role, int failures, long pause, String decides) {
        line(
                Level.WARN,
                "leader work of {} failed, times in a row={}: it stands again no sooner than {} after it has ended"
                        + " ({})",
                role,
                failures,
                Spans.text(pause),
                decides);
    }

    void sameName(String role, String instance) {
        line(
                Level.WARN,
                "the holder of {} has the name of this instance, {}: the same name is in use twice, or this process was"
                        + " restarted; leadership is told apart all the same",
                role,
                instance);
    }

    void fault(String role, String where, Throwable error) {
        line(Level.WARN, "fault survived: role={} where={}", role, where, error);
    }
}
