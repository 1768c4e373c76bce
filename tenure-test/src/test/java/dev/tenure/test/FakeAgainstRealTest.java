package dev.tenure.test;

import static dev.tenure.LossReason.DEADLINE_EXCEEDED;
import static dev.tenure.LossReason.RELEASED;
import static dev.tenure.LossReason.RESIGNED;
import static dev.tenure.LossReason.STOPPED;
import static dev.tenure.LossReason.TAKEN_OVER;
import static dev.tenure.LossReason.WORK_FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.ElectionDescription;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.ReleaseOutcome;
import dev.tenure.test.Subject.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same is true of the double and of a real elector.
 */
class FakeAgainstRealTest {
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final AtomicReference<AssertionError> wrong = new AtomicReference<>();
    private Subject subject;

    @AfterEach
    void close() {
        subject.close();
        assertThat(wrong.get()).isNull();
    }

    /**
     * What fails within work fails the test.
     */
    private void openWith(Kind kind, LeaderWork work) {
        subject = kind.open(lease -> {
            try {
                work.lead(lease);
            } catch (AssertionError failed) {
                wrong.compareAndSet(null, failed);
                throw failed;
            }
        });
    }

    /**
     * Elects, and lets work run until it has set this.
     */
    private void electUntil(AtomicBoolean done) {
        subject.elect();
        subject.until(() -> done.get() || wrong.get() != null);
        subject.settle();
    }

    private LeaderElector open(Kind kind) {
        subject = kind.open();
        return subject.elector();
    }

    private Registration listen(LeaderElector elector, String name) {
        return elector.onChange(
                lease -> told.add(name + " elected " + lease.term()),
                (lease, reason) -> told.add(name + " lost " + lease.term() + " " + reason));
    }

    private Lease elect() {
        subject.elect();
        subject.settle();
        return subject.elector().lease().orElseThrow();
    }

    private boolean isDone(CompletionStage<?> stage) {
        subject.settle();
        return stage.toCompletableFuture().isDone();
    }

    private static <T> T result(CompletableFuture<T> call)
            throws InterruptedException, ExecutionException, TimeoutException {
        return call.get(30, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void B64_nothingIsSoBeforeTheFirstTerm(Kind kind) throws Exception {
        LeaderElector elector = open(kind);
        assertThat(elector.role()).isEqualTo("billing");
        assertThat(elector.key()).isEqualTo("leader:billing");
        assertThat(elector.isLeader()).isFalse();
        assertThat(elector.lease()).isEmpty();
        assertThat(elector.leader()).isEmpty();
        assertThat(elector.term()).isZero();
        assertThat(elector.isCoordinated()).isTrue();
        assertThat(elector.health().status()).isEqualTo(Status.STOPPED);
        assertThat(elector.awaitLeadership(Duration.ZERO)).isEmpty();
        CompletableFuture<ReleaseOutcome> resigned = elector.resign();
        CompletableFuture<ReleaseOutcome> stopped = elector.stop();
        subject.settle();
        assertThat(resigned).isCompletedWithValue(ReleaseOutcome.NOT_HOLDER);
        assertThat(stopped).isCompletedWithValue(ReleaseOutcome.NOT_HOLDER);
    }

    @ParameterizedTest
    @EnumSource
    void B64_aTermAsItIsSeen(Kind kind) {
        LeaderElector elector = open(kind);
        listen(elector, "early");
        Lease lease = elect();
        listen(elector, "late");
        subject.settle();
        assertThat(told).containsExactly("early elected 1", "late elected 1");
        assertThat(elector.isLeader()).isTrue();
        assertThat(elector.lease()).containsSame(lease);
        assertThat(elector.term()).isEqualTo(1);
        assertThat(elector.health().status()).isEqualTo(Status.LEADING);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.role()).isEqualTo("billing");
        assertThat(lease.term()).isEqualTo(1);
        assertThat(lease.fencingToken().role()).isEqualTo("billing");
        assertThat(lease.lossReason()).isEmpty();
        assertThat(lease.toString()).isEqualTo(lease.fencingToken().toString());
        assertThat(isDone(lease.lost()) || isDone(lease.lapsed())).isFalse();
        Leader leader = elector.leader().orElseThrow();
        assertThat(leader.metadata("url")).contains("http://a");
        assertThat(leader.fencingToken()).contains(lease.fencingToken());
        ElectionDescription description = elector.describe();
        assertThat(description.role()).isEqualTo("billing");
        assertThat(description.key()).isEqualTo("leader:billing");
        assertThat(description.term()).isEqualTo(1);
        assertThat(description.fencingToken()).contains(lease.fencingToken());
        assertThat(description.remaining()).isEqualTo(lease.remaining());
        assertThat(description.options().lease()).isEqualTo(Duration.ofSeconds(10));
        assertThat(description.lines()).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void B64_theDeadlineIsTheLeaseLessItsMargin(Kind kind) {
        open(kind);
        Lease lease = elect();
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(9));
        subject.advance(Duration.ofSeconds(9).minusNanos(1));
        lease.ensureHeld();
        lease.ensureHeld(Duration.ofNanos(1));
        assertThatThrownBy(() -> lease.ensureHeld(Duration.ofNanos(2)))
                .isInstanceOf(LeadershipLostException.class)
                .hasMessageContaining("needed PT0.000000002S, left PT0.000000001S");
        assertThat(lease.isHeld()).isTrue();
        subject.advance(Duration.ofNanos(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lossReason()).contains(DEADLINE_EXCEEDED);
    }

    @ParameterizedTest
    @CsvSource({
        "FAKE, TAKEN_OVER", "FAKE, SESSION_EXPIRED", "FAKE, DEADLINE_EXCEEDED",
        "REAL, TAKEN_OVER", "REAL, SESSION_EXPIRED", "REAL, DEADLINE_EXCEEDED"
    })
    void B64_aLoss(Kind kind, LossReason reason) throws InterruptedException {
        LeaderElector elector = open(kind);
        listen(elector, "x");
        Lease lease = elect();
        lease.onLost(why -> told.add("early " + why));
        CompletableFuture<LossReason> forged = lease.lost().toCompletableFuture();
        forged.complete(STOPPED);
        subject.lose(reason);
        subject.settle();
        lease.onLost(why -> told.add("late " + why));
        subject.settle();
        assertThat(told)
                .containsExactlyInAnyOrder("x elected 1", "x lost 1 " + reason, "early " + reason, "late " + reason);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.awaitLost(Duration.ofDays(1))).isTrue();
        assertThat(lease.remaining()).isZero();
        assertThat(lease.lossReason()).contains(reason);
        assertThat(lease.lost().toCompletableFuture()).isCompletedWithValue(reason);
        assertThat(isDone(lease.lapsed())).isTrue();
        assertThatExceptionOfType(LeadershipLostException.class)
                .isThrownBy(lease::ensureHeld)
                .withMessageContaining("not held any more: " + reason)
                .satisfies(lost -> assertThat(lost.token()).contains(lease.fencingToken()));
        assertThat(elector.isLeader()).isFalse();
        assertThat(elector.lease()).isEmpty();
        assertThat(elector.term()).isEqualTo(1);
        assertThat(elector.describe().fencingToken()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void B64_aVoluntaryEndWithoutWork(Kind kind) {
        LeaderElector elector = open(kind);
        listen(elector, "x");
        Lease lease = elect();
        CompletableFuture<ReleaseOutcome> outcome = elector.resign();
        subject.settle();
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(told).containsExactly("x elected 1", "x lost 1 RESIGNED");
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(isDone(lease.lapsed())).isTrue();
        assertThat(elector.health().status()).isEqualTo(Status.FOLLOWING);
        assertThat(elector.leader()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void B64_tokensRiseAndTermsAreCounted(Kind kind) {
        LeaderElector elector = open(kind);
        FencingToken last = elect().fencingToken();
        for (int term = 2; term < 5; term++) {
            elector.resign();
            subject.settle();
            Lease lease = elect();
            assertThat(last.isOlderThan(lease.fencingToken())).isTrue();
            assertThat(lease.term()).isEqualTo(term);
            last = lease.fencingToken();
        }
    }

    @ParameterizedTest
    @EnumSource
    void B64_workThatReturnsEndsItsTerm(Kind kind) {
        AtomicReference<Lease> led = new AtomicReference<>();
        openWith(kind, lease -> {
            assertThat(lease.isHeld()).isTrue();
            led.set(lease);
        });
        listen(subject.elector(), "x");
        subject.elect();
        subject.settle();
        assertThat(led.get().lossReason()).contains(RELEASED);
        assertThat(isDone(led.get().lapsed())).isTrue();
        assertThat(told.size()).isIn(0, 2); // both halves or none
    }

    @ParameterizedTest
    @EnumSource
    void B64_workThatThrowsEndsItsTerm(Kind kind) {
        List<Throwable> thrown = new ArrayList<>(List.of(
                new IllegalStateException("work"),
                new AssertionError("work"),
                new FencedOutException(new FencingToken("billing", 1), 2)));
        List<Lease> leases = Collections.synchronizedList(new ArrayList<>());
        subject = kind.open(lease -> {
            leases.add(lease);
            Throwable next = thrown.remove(0);
            if (next instanceof Error error) {
                throw error;
            }
            throw (Exception) next;
        });
        subject.elect();
        subject.settle();
        subject.elect();
        subject.settle();
        subject.elect();
        subject.settle();
        assertThat(leases)
                .extracting(lease -> lease.lossReason().orElseThrow())
                .containsExactly(WORK_FAILED, WORK_FAILED, TAKEN_OVER);
        assertThat(leases).allMatch(lease -> isDone(lease.lapsed()));
    }

    @ParameterizedTest
    @EnumSource
    void B64_workDrainsAfterAVoluntaryEnd(Kind kind) {
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<CompletableFuture<ReleaseOutcome>> outcome = new AtomicReference<>();
        AtomicReference<Lease> led = new AtomicReference<>();
        openWith(kind, lease -> {
            led.set(lease);
            CompletionStage<LossReason> lost = lease.lost();
            CompletionStage<Void> lapsed = lease.lapsed();
            outcome.set(subject.elector().resign());
            subject.pass(MOMENT);
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.lossReason()).contains(RESIGNED);
            assertThat(lease.remaining()).isPositive();
            assertThat(lost.toCompletableFuture()).isCompletedWithValue(RESIGNED);
            assertThat(lapsed.toCompletableFuture()).isNotDone();
            assertThat(outcome.get()).isNotDone();
            assertThat(subject.elector().isLeader()).isFalse();
            assertThat(subject.elector().health().status()).isEqualTo(Status.FOLLOWING);
            assertThat(subject.elector().leader()).isEmpty();
            assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeadershipLostException.class);
            done.set(true);
        });
        listen(subject.elector(), "x");
        electUntil(done);
        assertThat(told).containsExactly("x elected 1", "x lost 1 RESIGNED");
        assertThat(outcome.get()).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(led.get().remaining()).isZero();
        assertThat(isDone(led.get().lapsed())).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void B64_workThatDoesNotReturnIsInterruptedAndThenLeft(Kind kind) {
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<CompletableFuture<ReleaseOutcome>> outcome = new AtomicReference<>();
        openWith(kind, lease -> {
            outcome.set(subject.elector().resign());
            subject.pass(Duration.ofMillis(3_990)); // interruptAfter is 4 s
            assertThatThrownBy(() -> subject.pass(Duration.ofMillis(20))).isInstanceOf(InterruptedException.class);
            assertThat(outcome.get()).isNotDone();
            try {
                subject.pass(Duration.ofSeconds(2)); // drainTimeout is 5 s
            } catch (InterruptedException again) {
                // and again then
            }
            assertThat(outcome.get()).isCompletedWithValue(ReleaseOutcome.LEFT_TO_EXPIRE);
            assertThat(lease.remaining()).isPositive();
            assertThat(lease.lapsed().toCompletableFuture()).isNotDone();
            done.set(true);
        });
        electUntil(done);
    }

    @ParameterizedTest
    @EnumSource
    void B64_aRefusalCutsTheDrain(Kind kind) {
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<CompletableFuture<ReleaseOutcome>> outcome = new AtomicReference<>();
        openWith(kind, lease -> {
            CompletionStage<Void> lapsed = lease.lapsed();
            outcome.set(subject.elector().resign());
            subject.pass(MOMENT);
            assertThatThrownBy(() -> {
                        cut();
                        subject.pass(Duration.ofSeconds(3));
                    })
                    .isInstanceOf(InterruptedException.class);
            subject.pass(MOMENT);
            assertThat(lease.remaining()).isZero();
            assertThat(lease.lossReason()).contains(RESIGNED);
            assertThat(lapsed.toCompletableFuture()).isDone();
            assertThat(outcome.get()).isCompletedWithValue(ReleaseOutcome.NOT_HOLDER);
            done.set(true);
        });
        electUntil(done);
    }

    private void cut() {
        if (subject instanceof RealSubject real) {
            real.refuseNext(TAKEN_OVER);
        } else {
            subject.lose(TAKEN_OVER);
        }
    }

    @ParameterizedTest
    @EnumSource
    void B64_aLossInterruptsWork(Kind kind) {
        AtomicBoolean interrupted = new AtomicBoolean();
        openWith(kind, lease -> {
            cut();
            try {
                subject.pass(Duration.ofSeconds(8));
            } catch (InterruptedException lost) {
                interrupted.set(true);
                lease.ensureHeld();
            }
        });
        listen(subject.elector(), "x");
        electUntil(interrupted);
        assertThat(told).containsExactly("x elected 1", "x lost 1 TAKEN_OVER");
        assertThat(Thread.interrupted()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void B64_anElectedListenerThatThrowsEndsTheTerm(Kind kind) {
        LeaderElector elector = open(kind);
        AtomicReference<Lease> led = new AtomicReference<>();
        elector.onChange(
                lease -> {
                    led.set(lease);
                    throw new IllegalStateException("elected");
                },
                (lease, reason) -> told.add("own lost " + reason));
        listen(elector, "other");
        subject.elect();
        subject.settle();
        assertThat(led.get().lossReason()).contains(WORK_FAILED);
        assertThat(isDone(led.get().lapsed())).isTrue();
        assertThat(told).contains("own lost WORK_FAILED");
        assertThat(told.contains("other elected 1")).isEqualTo(told.contains("other lost 1 WORK_FAILED"));
        assertThat(elector.isLeader()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void B64_aLostListenerThatThrowsEndsNothing(Kind kind) {
        LeaderElector elector = open(kind);
        elector.onChange(lease -> {}, (lease, reason) -> {
            throw new IllegalStateException("lost");
        });
        listen(elector, "other");
        Lease lease = elect();
        lease.onLost(reason -> {
            throw new IllegalStateException("onLost");
        });
        lease.onLost(reason -> told.add("onLost"));
        CompletableFuture<ReleaseOutcome> outcome = elector.resign();
        subject.settle();
        assertThat(told).containsExactlyInAnyOrder("other elected 1", "other lost 1 RESIGNED", "onLost");
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
        subject.elect();
        assertThat(elector.isLeader()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void B64_B65_registrationsAreTheirOwn(Kind kind) {
        LeaderElector elector = open(kind);
        Consumer<Lease> elected = lease -> told.add("elected");
        BiConsumer<Lease, LossReason> lost = (lease, reason) -> told.add("lost");
        Registration first = elector.onChange(elected, lost);
        Registration second = elector.onChange(elected, lost);
        Lease lease = elect();
        assertThat(told).containsExactly("elected", "elected");
        Consumer<LossReason> callback = reason -> told.add("onLost");
        Registration one = lease.onLost(callback);
        lease.onLost(callback);
        one.remove();
        one.remove();
        first.remove();
        first.remove();
        elector.resign();
        subject.settle();
        assertThat(told).containsExactlyInAnyOrder("elected", "elected", "lost", "onLost");
        second.remove();
        subject.settle();
        elect();
        assertThat(told).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource
    void B64_aListenerThatEndsTheTermIsToldOfItAfterwards(Kind kind) {
        LeaderElector elector = open(kind);
        elector.onChange(
                lease -> {
                    told.add("elected");
                    elector.resign();
                    told.add("resigned");
                },
                (lease, reason) -> told.add("lost " + reason));
        subject.elect();
        subject.settle();
        assertThat(told).containsExactly("elected", "resigned", "lost RESIGNED");
    }

    @ParameterizedTest
    @EnumSource
    void B64_whatDoesNotCoordinateHasNoToken(Kind kind) {
        subject = kind.open(false, null);
        LeaderElector elector = subject.elector();
        Lease lease = elect();
        assertThat(elector.isCoordinated()).isFalse();
        assertThatThrownBy(lease::fencingToken)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no fencing token on a store that does not coordinate: role=billing");
        assertThat(elector.leader().orElseThrow().fencingToken()).isEmpty();
        assertThat(elector.describe().fencingToken()).isEmpty();
        assertThat(lease.toString()).isEqualTo("billing");
        subject.advance(Duration.ofDays(1));
        assertThat(lease.isHeld()).isTrue();
        CompletableFuture<ReleaseOutcome> outcome = elector.resign();
        subject.settle();
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThatExceptionOfType(LeadershipLostException.class)
                .isThrownBy(lease::ensureHeld)
                .satisfies(lost -> assertThat(lost.token()).isEmpty());
        assertThat(isDone(lease.lapsed())).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void B64_whoWaitsGetsTheLeaseOfTheTerm(Kind kind) throws Exception {
        LeaderElector elector = open(kind);
        CompletableFuture<Lease> waiting = subject.call(elector::awaitLeadership);
        assertThat(isDone(waiting)).isFalse();
        Lease lease = elect();
        Lease given = result(waiting);
        assertThat(given).isSameAs(lease);
        Lease again = result(subject.call(elector::awaitLeadership));
        assertThat(again).isSameAs(lease);
        assertThat(elector.awaitLeadership(Duration.ofSeconds(5))).containsSame(lease);
    }

    @ParameterizedTest
    @EnumSource
    void B64_whoWaitsIsToldOfTheStop(Kind kind) {
        LeaderElector elector = open(kind);
        CompletableFuture<Lease> waiting = subject.call(elector::awaitLeadership);
        elector.stop();
        subject.settle();
        assertThatThrownBy(() -> result(waiting)).isInstanceOf(CancellationException.class);
    }

    @ParameterizedTest
    @EnumSource
    void B64_stopEndsAndStartBeginsAnew(Kind kind) {
        LeaderElector elector = open(kind);
        listen(elector, "x");
        Lease lease = elect();
        CompletableFuture<ReleaseOutcome> first = elector.stop();
        subject.settle();
        CompletableFuture<ReleaseOutcome> second = elector.stop();
        subject.settle();
        assertThat(first).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(second).isCompletedWithValue(ReleaseOutcome.NOT_HOLDER);
        assertThat(lease.lossReason()).contains(STOPPED);
        assertThat(elector.health().status()).isEqualTo(Status.STOPPED);
        assertThat(elector.start()).isSameAs(elector);
        Lease next = elect();
        assertThat(lease.fencingToken().isOlderThan(next.fencingToken())).isTrue();
        assertThat(told).containsExactly("x elected 1", "x lost 1 STOPPED", "x elected 2");
        assertThat(lease.isHeld()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void B64_outcomesBelongToWhoAskedForThem(Kind kind) {
        LeaderElector elector = open(kind);
        elect();
        CompletableFuture<ReleaseOutcome> mine = elector.resign();
        mine.complete(ReleaseOutcome.LEFT_TO_EXPIRE);
        CompletableFuture<ReleaseOutcome> yours = elector.stop();
        subject.settle();
        assertThat(yours).isCompletedWithValueMatching(outcome -> outcome != ReleaseOutcome.LEFT_TO_EXPIRE);
    }

    @ParameterizedTest
    @EnumSource
    void B64_waitingIsInterrupted(Kind kind) throws Exception {
        LeaderElector elector = open(kind);
        Lease lease = elect();
        CompletableFuture<Boolean> sleeping = subject.call(() -> {
            Thread.currentThread().interrupt();
            return lease.awaitLost(Duration.ofSeconds(1));
        });
        assertThatThrownBy(() -> result(sleeping)).hasCauseInstanceOf(InterruptedException.class);
        elector.stop();
        subject.settle();
        CompletableFuture<Object> waiting = subject.call(() -> {
            Thread.currentThread().interrupt();
            return elector.awaitLeadership(Duration.ofSeconds(1));
        });
        assertThatThrownBy(() -> result(waiting)).hasCauseInstanceOf(InterruptedException.class);
    }
}
