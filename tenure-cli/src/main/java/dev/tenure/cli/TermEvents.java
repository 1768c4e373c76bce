package dev.tenure.cli;

import dev.tenure.FencingToken;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.StoreRejectedException;
import dev.tenure.spi.ElectionMonitor;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happens to one candidate, into the event log and in short to people. The engine, a listener and the work see the
 * beginning and the end of a term in any order; whoever is first writes it, once a term, the beginning first.
 */
final class TermEvents implements ElectionMonitor {
    private enum Mark {
        ELECTED,
        LOST,
        LAPSED
    }

    private static final int REMEMBERED = 16;

    private final Consumer<String> people;
    private final TreeMap<Long, Set<Mark>> terms = new TreeMap<>();
    private Optional<EventLog> log = Optional.empty();

    TermEvents(Consumer<String> people) {
        this.people = people;
    }

    /**
     * To be called before the candidate stands.
     */
    synchronized void to(EventLog log) {
        this.log = Optional.of(log);
    }

    @Override
    public void standing(String role) {
        write("campaigning", null);
    }

    @Override
    public synchronized void elected(Lease lease) {
        if (isFirst(lease, Mark.ELECTED)) {
            write("elected", lease, null);
        }
    }

    /**
     * The term has ended, as whoever calls this noticed; the reason is the lease's own if it knows one.
     */
    synchronized void lost(Lease lease) {
        lost(lease, lease.lossReason().orElse(LossReason.DEADLINE_EXCEEDED));
    }

    synchronized void lost(Lease lease, LossReason reason) {
        elected(lease);
        if (isFirst(lease, Mark.LOST)) {
            write("lost", lease, reason.name());
            if (!reason.isVoluntary()) {
                people.accept("no longer leads " + lease.role() + ": " + reason);
            }
        }
    }

    @Override
    public void lost(Lease lease, LossReason reason, Duration held) {
        lost(lease, reason);
    }

    @Override
    public synchronized void lapsed(Lease lease) {
        lost(lease);
        if (isFirst(lease, Mark.LAPSED)) {
            write("lapsed", lease, null);
        }
    }

    @Override
    public void released(Lease lease, ReleaseOutcome outcome, Duration drained) {
        write("released", lease, outcome.name());
    }

    void commandStarted(Lease lease, long pid) {
        write("command_started", lease, "pid " + pid);
    }

    void commandExited(Lease lease, int code, boolean killed) {
        write("command_exited", lease, "exit code " + code + (killed ? ", killed after the grace" : ""));
    }

    @Override
    public void storeFailing(String role, Throwable error) {
        write("store_unavailable", Text.reason(error));
        String what = error instanceof StoreRejectedException ? "refuses this client" : "does not answer";
        people.accept("the store " + what + ", tries on: " + Text.reason(error));
    }

    @Override
    public void storeRecovered(String role, Duration outage) {
        write("store_recovered", "after " + Text.rough(outage));
        people.accept("the store answers again, after " + Text.rough(outage));
    }

    @Override
    public void stopped(String role) {
        write("stopped", null);
    }

    @Override
    public void tokenRegressed(FencingToken granted, FencingToken highest) {
        people.accept("the store granted token " + granted.value() + ", not above " + highest.value()
                + " that was seen before: restored or exchanged? then: tenure fence accept " + granted.role() + " "
                + highest.value());
    }

    private boolean isFirst(Lease lease, Mark mark) {
        boolean first = terms.computeIfAbsent(lease.term(), term -> EnumSet.noneOf(Mark.class))
                .add(mark);
        if (terms.size() > REMEMBERED) {
            terms.pollFirstEntry();
        }
        return first;
    }

    private void write(String event, @Nullable String reason) {
        write(EventLog.Event.of(event, reason));
    }

    private void write(String event, Lease lease, @Nullable String reason) {
        write(new EventLog.Event(event, lease.fencingToken().value(), lease.term(), reason));
    }

    private synchronized void write(EventLog.Event event) {
        log.ifPresent(to -> to.write(event));
    }
}
