package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.StoreException;
import dev.tenure.StoreRejectedException;
import dev.tenure.TokenImplausibleException;
import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
    private final Map<Object, Throwable> failing = new HashMap<>(); // elections and watches; the loop's
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
    void write(LogLine line) {
        if (line.isOn()) {
            write(line::write);
        }
    }

    /**
     * @param line must not depend on what the loop does next
     */
    private void write(Runnable line) {
        writer.add(new UserTask(null, line, unheard -> {}));
    }

    private static LogLine line(CoreEvent event) {
        return LogLine.of(LOG, event);
    }

    private static LogLine line(CoreEvent event, TermHandle handle) {
        return handle.addTo(line(event));
    }

    /**
     * Complete when all lines so far are written.
     */
    CompletableFuture<Void> written() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        write(() -> done.complete(null));
        return done;
    }

    void stands(Participant of, String instance) {
        write(stand(CoreEvent.CANDIDATE_STARTED, of).with("instance", instance));
    }

    void standsNoLonger(Participant of) {
        write(stand(CoreEvent.CANDIDATE_STOPPED, of));
    }

    /**
     * Who acquires for each order is not to fill the log with its comings and goings.
     */
    private LogLine stand(CoreEvent event, Participant of) {
        Level level = of.election().candidate().once() == null ? event.level() : Level.DEBUG;
        return LogLine.of(LOG, event, level)
                .with("role", of.role())
                .with("key", of.key())
                .with("store", store);
    }

    void elected(TermHandle handle, String key) {
        write(line(CoreEvent.LEADERSHIP_ACQUIRED, handle).with("key", key).with("store", store));
    }

    void lost(TermHandle handle, LossReason reason, Duration held) {
        write(line(reason.isVoluntary() ? CoreEvent.LEADERSHIP_ENDED : CoreEvent.LEADERSHIP_LOST, handle)
                .with("reason", reason.label())
                .with("held_ms", held));
    }

    void released(TermHandle handle, ReleaseOutcome outcome) {
        if (outcome == ReleaseOutcome.RELEASED) {
            write(line(CoreEvent.LEASE_RELEASED, handle));
        } else {
            write(line(CoreEvent.LEASE_NOT_RELEASED, handle)
                    .with("outcome", outcome.name().toLowerCase(Locale.ROOT)));
        }
    }

    /**
     * @param of an election or a watch
     */
    void storeFailing(Object of, String role, Throwable error) {
        long now = time.now();
        boolean first = failing.isEmpty();
        failing.put(of, error);
        if (first) {
            since = now;
            lastLine = now;
            LogLine line = line(howItFails(error))
                    .with("role", role)
                    .with("store", store)
                    .with("error", reason(error));
            write(error instanceof StoreException ? line.detail(error) : line.cause(error));
        }
    }

    private static String reason(Throwable error) {
        return error instanceof StoreException && error.getMessage() != null ? error.getMessage() : error.toString();
    }

    private static CoreEvent howItFails(Throwable error) {
        if (error instanceof TokenImplausibleException) {
            return CoreEvent.TOKEN_IMPLAUSIBLE;
        }
        return error instanceof StoreRejectedException ? CoreEvent.STORE_REJECTS : CoreEvent.STORE_UNAVAILABLE;
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
            write(line(CoreEvent.STORE_STILL_FAILING)
                    .with("store", store)
                    .with("outage_ms", Duration.ofNanos(now - since))
                    .with("elections", asking)
                    .with("error", reason(failing.values().iterator().next())));
        }
    }

    private boolean isRefused() {
        return failing.values().stream().allMatch(StoreRejectedException.class::isInstance);
    }

    /**
     * Whether it would notice that the store is well again.
     */
    private static boolean asks(Object of) {
        if (!(of instanceof Participant candidate)) {
            return true;
        }
        Phase phase = candidate.election().phase();
        return !(phase instanceof Leaving || phase instanceof Idle);
    }

    void storeRecovered(Object of) {
        if (failing.remove(of) != null && failing.isEmpty()) {
            write(line(CoreEvent.STORE_RECOVERED)
                    .with("store", store)
                    .with("outage_ms", Duration.ofNanos(time.now() - since)));
        }
    }

    /**
     * It asks no longer, so that its outage is nobody's.
     */
    void forget(Object of) {
        failing.remove(of);
    }

    void tokenRegressed(String role, long granted, long highest) {
        write(line(CoreEvent.TOKEN_REGRESSED)
                .with("role", role)
                .with("token", granted)
                .with("highest", highest)
                .with("store", store));
    }

    void wallClockJumped(Duration by) {
        write(line(CoreEvent.WALL_CLOCK_JUMPED).with("jump_ms", by));
    }

    void suspended(Duration length) {
        write(line(CoreEvent.MACHINE_SUSPENDED).with("suspended_ms", length));
    }

    /**
     * Once per role.
     */
    void uncoordinated(String role, boolean leads) {
        if (uncoordinated.add(role)) {
            write(line(leads ? CoreEvent.UNCOORDINATED_LEADS : CoreEvent.UNCOORDINATED_FOLLOWS)
                    .with("role", role)
                    .with("store", store));
        }
    }

    /**
     * Says how long a failure keeps an instance away.
     *
     * @param pause in ns
     * @param decides the options that decide it
     */
    void backsOff(String role, int failures, long pause, String decides) {
        write(line(CoreEvent.WORK_BACKS_OFF)
                .with("role", role)
                .with("failures", failures)
                .with("pause_ms", Duration.ofNanos(Math.max(0, pause)))
                .with("option", decides));
    }

    void sameName(String role, String instance) {
        write(line(CoreEvent.INSTANCE_NAME_TAKEN).with("role", role).with("instance", instance));
    }

    /**
     * @param error none if nothing was thrown
     */
    void fault(CoreEvent event, String role, String where, @Nullable Throwable error) {
        write(line(event).with("role", role).with("where", where).cause(error));
    }

    void watchingFailed(String key, Throwable error) {
        write(line(CoreEvent.WATCHING_FAILED).with("key", key).cause(error));
    }
}
