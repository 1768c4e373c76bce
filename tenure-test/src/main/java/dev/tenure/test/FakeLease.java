package dev.tenure.test;

import dev.tenure.FencingToken;
import dev.tenure.Leader;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A term in the hands of the code under test. What was once seen as not held stays so.
 */
final class FakeLease implements Lease {
    private static final long SEALED = Long.MIN_VALUE;

    private final Leader self;
    private final long term;
    private final FakeClock clock;
    private final FakeSignals signals;
    private final FakeLooks looks;
    private final FakeCode code;
    private final FakeEnding ending;
    private final FakeRuns runs = new FakeRuns();
    private final long beganAt;
    private final AtomicLong deadline;
    private final AtomicReference<@Nullable LossReason> reason = new AtomicReference<>();

    FakeLease(Leader self, long term, long deadline, FakeTerms terms) {
        this.self = self;
        this.term = term;
        this.clock = terms.clock();
        this.signals = new FakeSignals(terms.failures());
        this.looks = new FakeLooks(end -> terms.endOfLooks(this, end));
        this.code = new FakeCode(() -> terms.codeEnded(this));
        this.ending = new FakeEnding(code);
        this.beganAt = clock.now();
        this.deadline = new AtomicLong(deadline);
    }

    /**
     * As others see it.
     */
    Leader self() {
        return self;
    }

    FakeSignals signals() {
        return signals;
    }

    FakeLooks looks() {
        return looks;
    }

    FakeCode code() {
        return code;
    }

    FakeEnding ending() {
        return ending;
    }

    FakeRuns runs() {
        return runs;
    }

    long beganAt() {
        return beganAt;
    }

    /**
     * Whether it is held, without counting as a look.
     */
    boolean isHeldNow() {
        return reason.get() == null && left() > 0;
    }

    /**
     * Reads the deadline, then the clock; seals what has passed.
     */
    long left() {
        while (true) {
            long end = deadline.get();
            if (end == SEALED) {
                return 0;
            }
            long left = end - clock.now();
            if (left > 0) {
                return left;
            }
            if (deadline.compareAndSet(end, SEALED)) {
                lose(LossReason.DEADLINE_EXCEEDED);
            }
        }
    }

    /**
     * The first reason stays; gives that.
     */
    LossReason lose(LossReason detected) {
        LossReason first = reason.compareAndExchange(null, detected);
        return first == null ? detected : first;
    }

    void seal() {
        deadline.set(SEALED);
    }

    void extend(long to) {
        long from = deadline.get();
        while (from != SEALED && from < to && !deadline.compareAndSet(from, to)) {
            from = deadline.get();
        }
    }

    long deadline() {
        return deadline.get();
    }

    @Override
    public String role() {
        return self.role();
    }

    @Override
    public FencingToken fencingToken() {
        return self.fencingToken()
                .orElseThrow(() -> new IllegalStateException(
                        "no fencing token on a store that does not coordinate: role=" + role()));
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public boolean isHeld() {
        if (isHeldNow()) {
            looks.look();
        }
        return isHeldNow();
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
        return self.fencingToken()
                .map(token -> new LeadershipLostException(token, why))
                .orElseGet(() -> new LeadershipLostException(role(), why));
    }

    @Override
    public boolean awaitLost(Duration timeout) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean lost = !isHeld();
        if (!lost) {
            looks.ensureNotForEver();
        }
        return lost;
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return signals.lostStage();
    }

    @Override
    public CompletionStage<Void> lapsed() {
        return signals.lapsedStage();
    }

    @Override
    public Registration onLost(Consumer<? super LossReason> callback) {
        return signals.onLost(callback);
    }

    @Override
    public Optional<LossReason> lossReason() {
        left();
        return Optional.ofNullable(reason.get());
    }

    @Override
    public String toString() {
        String name = self.fencingToken().map(FencingToken::toString).orElse(role());
        LossReason why = reason.get();
        return why == null ? name : name + " " + why;
    }
}
