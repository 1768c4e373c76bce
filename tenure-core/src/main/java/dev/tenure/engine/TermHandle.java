package dev.tenure.engine;

import dev.tenure.FencingToken;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.log.LogLine;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A term in the hands of user code. Whoever looks judges the deadline by the clock; the loop moves it only from the
 * value that it knows, so that what was once seen as not held stays so.
 */
final class TermHandle implements Lease {
    private static final long SEALED = Long.MIN_VALUE;
    private static final VarHandle DEADLINE = field("deadline", long.class);
    private static final VarHandle REASON = field("reason", LossReason.class);
    private static final VarHandle SIGNALS = field("signals", Signals.class);

    private final String role;
    private final @Nullable FencingToken token;
    private final Term term;
    private final Time time;
    private final TermOwner owner;
    private final TermCode code;
    private volatile long deadline;
    private volatile @Nullable LossReason reason;
    private volatile boolean lapsed;
    private volatile @Nullable Signals signals;

    TermHandle(String role, Term term, long deadline, TermOwner owner) {
        this.role = role;
        this.token = term.isCoordinated() ? new FencingToken(role, term.token()) : null;
        this.term = term;
        this.time = owner.time();
        this.owner = owner;
        this.code = new TermCode(() -> owner.userCodeEnded(term.number()));
        this.deadline = deadline;
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(TermHandle.class, name, type);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    TermCode code() {
        return code;
    }

    @Override
    public String role() {
        return role;
    }

    @Override
    public FencingToken fencingToken() {
        if (token == null) {
            throw new IllegalStateException("no fencing token on a store that does not coordinate: role=" + role);
        }
        return token;
    }

    Optional<FencingToken> token() {
        return Optional.ofNullable(token);
    }

    @Override
    public long term() {
        return term.number();
    }

    @Override
    public boolean isHeld() {
        return reason == null && left() > 0;
    }

    /**
     * Whether anybody has found out that it is not held any more; does not look at the clock.
     */
    boolean isKnownEnded() {
        return reason != null || deadline == SEALED;
    }

    /**
     * Reads the deadline, then the clock; seals what has passed.
     */
    private long left() {
        while (true) {
            long end = deadline;
            if (end == SEALED) {
                return 0;
            }
            long left = end - time.now();
            if (left > 0) {
                return left;
            }
            if (DEADLINE.compareAndSet(this, end, SEALED)) {
                lose(LossReason.DEADLINE_EXCEEDED);
                owner.sealed(term.number());
                return 0;
            }
        }
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(left());
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            throw notHeld("not held any more: " + lossReason().orElse(LossReason.DEADLINE_EXCEEDED));
        }
    }

    @Override
    public void ensureHeld(Duration needed) {
        ensureHeld();
        long left = left();
        if (Duration.ofNanos(left).compareTo(needed) < 0 || left == 0) {
            throw notHeld("needed " + needed + ", left " + Duration.ofNanos(left));
        }
    }

    private LeadershipLostException notHeld(String why) {
        return token == null ? new LeadershipLostException(role, why) : new LeadershipLostException(token, why);
    }

    @Override
    public boolean awaitLost(Duration timeout) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        CountDownLatch ended = signals().ended();
        long from = time.now();
        long patience = timeout.compareTo(Duration.ofDays(365)) > 0
                ? Duration.ofDays(365).toNanos()
                : timeout.toNanos();
        while (isHeld()) {
            long left = patience - (time.now() - from);
            if (left <= 0) {
                return false;
            }
            ended.await(Math.min(left, left()), TimeUnit.NANOSECONDS);
        }
        return true;
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return signals().lostStage();
    }

    @Override
    public CompletionStage<Void> lapsed() {
        return signals().lapsedStage();
    }

    @Override
    public Registration onLost(Consumer<? super LossReason> callback) {
        return signals().onLost(callback);
    }

    @Override
    public Optional<LossReason> lossReason() {
        if (reason == null) {
            isHeld();
        }
        LossReason known = reason;
        if (known == null && deadline == SEALED) {
            lose(LossReason.DEADLINE_EXCEEDED);
            known = reason;
        }
        return Optional.ofNullable(known);
    }

    /**
     * Made when first asked for: most terms need none.
     */
    private Signals signals() {
        Signals present = signals;
        if (present == null) {
            Signals made = new Signals(role, code, owner.users());
            present = SIGNALS.compareAndSet(this, null, made) ? made : signals;
            if (reason != null) {
                tellLost();
            }
            if (lapsed) {
                tellLapsed();
            }
        }
        if (present == null) {
            throw new IllegalStateException("signals are never unset");
        }
        return present;
    }

    // the loop's side

    /**
     * False if somebody has found the deadline passed.
     */
    boolean extend(long to) {
        long from = deadline;
        while (from != SEALED) {
            if (DEADLINE.compareAndSet(this, from, to)) {
                return true;
            }
            from = deadline;
        }
        return false;
    }

    void seal() {
        deadline = SEALED;
    }

    /**
     * The first reason stays; gives that.
     */
    LossReason lose(LossReason detected) {
        REASON.compareAndSet(this, null, detected);
        LossReason first = reason;
        Signals present = signals;
        if (present != null) {
            present.ended().countDown();
        }
        return first == null ? detected : first;
    }

    /**
     * Completes what user code waits for, on callback threads.
     */
    void tellLost() {
        Signals present = signals;
        LossReason known = reason;
        if (present != null && known != null) {
            present.lost(known);
        }
    }

    void tellLapsed() {
        lapsed = true;
        Signals present = signals;
        if (present != null) {
            present.lapsed();
        }
    }

    /**
     * Says which term a line tells of.
     */
    LogLine addTo(LogLine line) {
        if (!line.isOn()) {
            return line;
        }
        line.with("role", role);
        return (token == null ? line : line.with("token", token.value())).with("term", term.number());
    }

    @Override
    public String toString() {
        return (token == null ? role : token.toString()) + (reason == null ? "" : " " + reason);
    }
}
