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
import java.util.function.Consumer;

/**
 * A term in the hands of the code under test. What was once seen as not held stays so.
 */
final class FakeLease implements Lease {
    private final Leader self;
    private final long term;
    private final FakeHold hold;
    private final FakeSignals signals;
    private final FakeLooks looks;
    private final FakeCode code;
    private final FakeEnding ending;
    private final FakeRuns runs = new FakeRuns();
    private final long beganAt;

    FakeLease(Leader self, long term, long deadline, FakeTerms terms) {
        this.self = self;
        this.term = term;
        this.hold = new FakeHold(terms.clock(), deadline);
        this.signals = new FakeSignals(terms.failures());
        this.looks = new FakeLooks(end -> terms.endOfLooks(this, end));
        this.code = new FakeCode(() -> FakeGrants.codeEnded(this));
        this.ending = new FakeEnding(code);
        this.beganAt = terms.clock().now();
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

    FakeHold hold() {
        return hold;
    }

    /**
     * Whether it is held, without counting as a look.
     */
    boolean isHeldNow() {
        return hold.isHeld();
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
        return Duration.ofNanos(hold.left());
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
        long left = hold.left();
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
        return hold.reason();
    }

    @Override
    public String toString() {
        String name = self.fencingToken().map(FencingToken::toString).orElse(role());
        return hold.knownReason().map(why -> name + " " + why).orElse(name);
    }
}
