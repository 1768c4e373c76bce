package dev.tenure.cli;

import dev.tenure.FencingToken;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.StoreRejectedException;
import dev.tenure.TokenImplausibleException;
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
    private boolean standsAgain;
    private boolean over;
    private boolean failing;
    private boolean answered;
    private Optional<Duration> outage = Optional.empty();
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

    /**
     * What the engine still asks before it is stopped is no candidacy.
     */
    synchronized void noFurtherTerm() {
        over = true;
    }

    @Override
    public void standing(String role) {
        write("campaigning", null);
    }

    /**
     * Whoever asks the store after a term stands again, which the engine does not tell.
     */
    private void standAgain() {
        if (standsAgain && !over) {
            standsAgain = false;
            write("campaigning", null);
        }
    }

    @Override
    public synchronized void acquireFinished(String role, Outcome outcome, Duration took) {
        standAgain();
        if (outcome != Outcome.FAILED) {
            answered();
        }
    }

    @Override
    public synchronized void renewFinished(Lease lease, Outcome outcome, Duration took, Duration slack) {
        if (outcome != Outcome.FAILED) {
            answered();
        }
    }

    @Override
    public synchronized void elected(Lease lease) {
        if (isFirst(lease, Mark.ELECTED)) {
            standAgain();
            answered();
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
            standsAgain = true;
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
    public synchronized void storeFailing(String role, Throwable error) {
        answered = false;
        outage = Optional.empty();
        failing = true;
        if (error instanceof TokenImplausibleException) {
            failing = false; // it answers; this is no outage
            people.accept("fencing regressed: " + Text.reason(error));
            return;
        }
        write("store_unavailable", Text.reason(error));
        String what = error instanceof StoreRejectedException ? "refuses this client" : "gives no usable answer";
        people.accept("the store " + what + ", tries on: " + Text.reason(error));
    }

    @Override
    public synchronized void storeRecovered(String role, Duration outage) {
        if (failing) {
            this.outage = Optional.of(outage);
            tellRecovery();
        }
    }

    private void answered() {
        answered = true;
        tellRecovery();
    }

    /**
     * An outage also ends for the engine when the candidate stops: only an answer makes that a recovery.
     */
    private void tellRecovery() {
        if (answered && outage.isPresent()) {
            String after = "after " + Text.rough(outage.get());
            outage = Optional.empty();
            failing = false;
            write("store_recovered", after);
            people.accept("the store answers again, " + after);
        }
    }

    @Override
    public synchronized void stopped(String role) {
        standsAgain = false;
        failing = false;
        outage = Optional.empty();
        write("stopped", null);
    }

    /**
     * Only of stores whose tokens are indexes of their own, which nobody can raise: what they grant now is to be
     * accepted, and the guards forget higher ones.
     */
    @Override
    public void tokenRegressed(FencingToken granted, FencingToken highest) {
        people.accept("the store granted token " + granted.value() + ", not above " + highest.value()
                + " that was seen before: restored or exchanged? then reset what compares tokens, and: tenure fence accept "
                + granted.role());
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
