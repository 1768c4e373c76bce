package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.ElectorHealth;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.FencingToken;
import dev.tenure.InvalidOptionsException;
import dev.tenure.Leader;
import dev.tenure.LeaderWatch;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.NoLeaderException;
import dev.tenure.Registration;
import dev.tenure.ReleaseOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What the test decides; what is as with a real elector is in {@link FakeAgainstRealTest}.
 */
class FakeLeadershipTest {
    private final FakeLeadership billing = FakeLeadership.of("billing");
    private final List<String> told = new ArrayList<>();

    private Registration listen() {
        return billing.onChange(lease -> told.add("elected"), (lease, reason) -> told.add("lost " + reason));
    }

    @Test
    void B64_historyTellsWhatHappened() {
        billing.elect();
        billing.lose(LossReason.TAKEN_OVER);
        billing.lose(LossReason.TAKEN_OVER);
        billing.elect();
        billing.resign();
        billing.setCoordinated(false).elect();
        billing.stop();
        assertThat(billing.history())
                .containsExactly(
                        "elected billing=1",
                        "lost billing=1 TAKEN_OVER",
                        "elected billing=2",
                        "lost billing=2 RESIGNED",
                        "elected billing",
                        "lost billing STOPPED");
    }

    @Test
    void aRoleThatCannotBeIsRefused() {
        assertThatThrownBy(() -> FakeLeadership.of(" ")).isInstanceOf(InvalidOptionsException.class);
    }

    @Test
    void listenersAreToldOnTheCallingThreadBeforeTheCallReturns() {
        Thread here = Thread.currentThread();
        List<Thread> threads = new ArrayList<>();
        billing.onChange(
                lease -> threads.add(Thread.currentThread()), (lease, reason) -> threads.add(Thread.currentThread()));
        Lease lease = billing.elect();
        lease.onLost(reason -> threads.add(Thread.currentThread()));
        lease.lost().thenAccept(reason -> threads.add(Thread.currentThread()));
        lease.lapsed().thenRun(() -> threads.add(Thread.currentThread()));
        billing.lose(LossReason.SESSION_EXPIRED);
        assertThat(threads).hasSize(5).containsOnly(here);
    }

    @Test
    void electingALeaderChangesNothing() {
        Lease lease = billing.elect();
        assertThat(billing.elect()).isSameAs(lease);
        assertThat(billing.term()).isEqualTo(1);
    }

    @Test
    void tokensGivenByTheTestHaveToRise() {
        assertThat(billing.electWithToken(7).fencingToken()).isEqualTo(new FencingToken("billing", 7));
        assertThatIllegalStateException()
                .isThrownBy(() -> billing.electWithToken(9))
                .withMessage("this leads already: billing=7");
        billing.lose(LossReason.TAKEN_OVER);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> billing.electWithToken(7))
                .withMessage("token must be above 7: token=7");
        assertThatIllegalArgumentException().isThrownBy(() -> billing.electWithToken(0));
        billing.follow(new Leader("billing", "b", Map.of(), Optional.of(new FencingToken("billing", 11))));
        assertThat(billing.elect().fencingToken().value()).isEqualTo(12);
    }

    @Test
    void aLoopOnOneThreadEndsAfterItsChecks() throws InterruptedException {
        int[] rounds = {0};
        Lease term = billing.electForChecks(2);
        do {
            rounds[0]++;
        } while (!term.awaitLost(Duration.ofSeconds(5)));
        assertThat(rounds[0]).isEqualTo(3);
        assertThat(billing.history()).containsExactly("elected billing=1", "lost billing=1 DEADLINE_EXCEEDED");
    }

    @Test
    void everyLookAtTheLeaseCountsAndNoneAtTheLeadership() {
        Lease lease = billing.electForChecks(4);
        assertThat(billing.isLeader() && billing.lease().isPresent()).isTrue();
        lease.ensureHeld();
        lease.ensureHeld(Duration.ofSeconds(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isPositive();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeadershipLostException.class);
        assertThat(billing.isLeader()).isFalse();
    }

    @Test
    void checksCanBeSetAgain() {
        Lease lease = billing.elect();
        assertThat(billing.electForChecks(0, LossReason.TAKEN_OVER)).isSameAs(lease);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lossReason()).contains(LossReason.TAKEN_OVER);
        assertThatIllegalArgumentException().isThrownBy(() -> billing.electForChecks(-1));
    }

    @Test
    void aLoopThatNothingEndsIsToldSo() {
        Lease lease = billing.elect();
        assertThatIllegalStateException()
                .isThrownBy(() -> {
                    while (!lease.awaitLost(Duration.ofSeconds(5))) {
                        told.add("round");
                    }
                })
                .withMessageContaining("electForChecks");
    }

    @Test
    void workRunsInTheCallThatElects() {
        billing.runs(term -> {
            do {
                told.add(term.fencingToken() + " on " + Thread.currentThread().getName());
            } while (!term.awaitLost(Duration.ofSeconds(5)));
        });
        billing.electForChecks(1);
        String here = Thread.currentThread().getName();
        assertThat(told).containsExactly("billing=1 on " + here, "billing=1 on " + here);
        assertThat(billing.failures()).isEmpty();
    }

    @Test
    void workThatLosesItsOwnTermIsInterruptedAfterListenersWereTold() {
        billing.onChange(
                lease -> {},
                (lease, reason) ->
                        told.add("lost, interrupted=" + Thread.currentThread().isInterrupted()));
        billing.runs(term -> {
            billing.lose(LossReason.TAKEN_OVER);
            told.add("work, interrupted=" + Thread.currentThread().isInterrupted());
        });
        billing.elect();
        assertThat(told).containsExactly("lost, interrupted=false", "work, interrupted=true");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void workOnAnotherThreadIsInterruptedByTheLoss() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            billing.runs(term -> {
                began.countDown();
                new CountDownLatch(1).await();
            });
            Future<Lease> led = other.submit(billing::elect);
            assertThat(began.await(30, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<ReleaseOutcome> outcome = billing.resign();
            assertThat(outcome).isNotDone();
            assertThatIllegalStateException()
                    .isThrownBy(billing::elect)
                    .withMessage("work of the term before has not returned: billing=1 RESIGNED");
            billing.lose(LossReason.TAKEN_OVER);
            assertThat(outcome).isCompletedWithValue(ReleaseOutcome.NOT_HOLDER);
            assertThat(led.get(30, TimeUnit.SECONDS).lossReason()).contains(LossReason.RESIGNED);
            assertThat(billing.failures()).isEmpty();
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void whatUserCodeThrowsIsKept() {
        IllegalStateException elected = new IllegalStateException("elected");
        IllegalStateException lost = new IllegalStateException("lost");
        IllegalStateException callback = new IllegalStateException("callback");
        boolean[] fails = {true};
        billing.onChange(
                lease -> {
                    if (fails[0]) {
                        throw elected;
                    }
                },
                (lease, reason) -> {
                    throw lost;
                });
        billing.elect();
        assertThat(billing.failures()).containsExactly(elected, lost);
        fails[0] = false;
        billing.elect().onLost(reason -> {
            throw callback;
        });
        billing.resign();
        assertThat(billing.failures()).containsExactly(elected, lost, callback, lost);
    }

    @Test
    void anEndThatIsBegunDrainsUntilItIsFinished() {
        listen();
        Lease lease = billing.elect();
        billing.beginEnd(LossReason.RESIGNED);
        CompletableFuture<ReleaseOutcome> outcome = billing.resign();
        assertThat(told).containsExactly("elected", "lost RESIGNED");
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isPositive();
        assertThat(lease.lapsed().toCompletableFuture()).isNotDone();
        assertThat(outcome).isNotDone();
        assertThat(billing.health().detail()).contains("drains");
        billing.finishEnd();
        billing.finishEnd();
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(lease.remaining()).isZero();
        assertThat(lease.lapsed().toCompletableFuture()).isDone();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> billing.beginEnd(LossReason.TAKEN_OVER))
                .withMessage("reason must be one that the application decides: reason=TAKEN_OVER");
    }

    @Test
    void checksCanEndVoluntarily() {
        Lease lease = billing.electForChecks(1, LossReason.STOPPED);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isPositive();
        billing.elect();
        assertThat(lease.remaining()).isZero();
        assertThat(billing.history())
                .containsExactly("elected billing=1", "lost billing=1 STOPPED", "elected billing=2");
    }

    @Test
    void whatDrainsTooLongIsLeftToExpire() {
        Lease lease = billing.elect();
        billing.beginEnd(LossReason.RESIGNED);
        CompletableFuture<ReleaseOutcome> outcome = billing.resign();
        billing.advance(Duration.ofSeconds(10));
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.LEFT_TO_EXPIRE);
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(3_500));
        billing.finishEnd();
        assertThat(lease.remaining()).isPositive();
        billing.advance(Duration.ofMillis(3_500));
        assertThat(lease.remaining()).isZero();
        assertThat(lease.lapsed().toCompletableFuture()).isDone();
    }

    @Test
    void timePassesWhenTheTestSaysSo() {
        listen();
        Lease lease = billing.elect();
        assertThat(billing.now()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(13_500));
        billing.advance(Duration.ofSeconds(10));
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(3_500));
        billing.renew();
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(13_500));
        billing.advanceRenewing(Duration.ofHours(1));
        assertThat(lease.isHeld()).isTrue();
        billing.advance(Duration.ofMillis(13_499));
        assertThat(told).containsExactly("elected");
        billing.advance(Duration.ofMillis(1));
        assertThat(told).containsExactly("elected", "lost DEADLINE_EXCEEDED");
        assertThat(billing.now()).isEqualTo(Instant.parse("2026-01-01T01:00:23.500Z"));
        billing.renew();
        assertThat(lease.isHeld()).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> billing.advance(Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> billing.advanceRenewing(Duration.ofNanos(-1)));
    }

    @Test
    void anotherLeaderIsSeen() {
        listen();
        billing.elect();
        Leader other = new Leader("billing", "b", Map.of("url", "http://b"), Optional.empty());
        billing.follow(other);
        assertThat(told).containsExactly("elected", "lost TAKEN_OVER");
        assertThat(billing.leader()).contains(other);
        billing.followNobody();
        assertThat(billing.leader()).isEmpty();
        Leader stranger = new Leader("shipping", "b", Map.of(), Optional.empty());
        assertThatIllegalArgumentException().isThrownBy(() -> billing.follow(stranger));
    }

    @Test
    void metadataIsAnnouncedFromTheNextTermOn() {
        billing.announce(Map.of("url", "http://a")).elect();
        billing.announce(Map.of("url", "http://c"));
        assertThat(billing.leader().orElseThrow().metadata("url")).contains("http://a");
        billing.resign();
        billing.elect();
        assertThat(billing.leader().orElseThrow().metadata("url")).contains("http://c");
    }

    @Test
    void aWatchFollowsWhoLeads() {
        List<Optional<String>> names = new ArrayList<>();
        LeaderWatch watch = billing.watch();
        assertThatThrownBy(watch::requireLeader).isInstanceOf(NoLeaderException.class);
        Registration registration = watch.onChange(leader -> names.add(leader.map(Leader::name)));
        billing.elect();
        assertThat(watch.requireLeader().fencingToken()).contains(new FencingToken("billing", 1));
        billing.follow(new Leader("billing", "b", Map.of(), Optional.empty()));
        billing.followNobody();
        billing.followNobody();
        assertThat(names).containsExactly(Optional.empty(), Optional.of("this"), Optional.of("b"), Optional.empty());
        assertThat(billing.listeners()).isEqualTo(1);
        registration.remove();
        watch.onChange(leader -> {
            throw new IllegalStateException("watch");
        });
        assertThat(billing.failures()).hasSize(1);
        watch.close();
        watch.close();
        billing.elect();
        assertThat(names).hasSize(4);
        assertThat(billing.listeners()).isZero();
    }

    @Test
    void healthIsWhatTheTestSaysUntilTheNextTerm() {
        assertThat(billing.health().status()).isEqualTo(Status.STOPPED);
        billing.start();
        assertThat(billing.health().status()).isEqualTo(Status.FOLLOWING);
        IllegalStateException outage = new IllegalStateException("outage");
        ElectorHealth given = new ElectorHealth(Status.UNREACHABLE, Instant.EPOCH, "no answer", Optional.of(outage));
        billing.setHealth(given);
        assertThat(billing.health()).isEqualTo(given);
        assertThat(billing.describe().health()).isEqualTo(given);
        billing.elect();
        assertThat(billing.health())
                .isEqualTo(new ElectorHealth(Status.LEADING, billing.now(), "leads with token 1", Optional.empty()));
    }

    @Test
    void aStoppedOneIsNotElected() {
        assertThat(billing.isStanding()).isFalse();
        billing.elect();
        assertThat(billing.isStanding()).isTrue();
        billing.stop();
        assertThat(billing.isStanding()).isFalse();
        assertThatIllegalStateException()
                .isThrownBy(billing::elect)
                .withMessage("this is stopped, so it cannot be elected: role=billing");
        assertThatThrownBy(billing::awaitLeadership).isInstanceOf(CancellationException.class);
        billing.start();
        assertThat(billing.isStanding()).isTrue();
        assertThat(billing.elect().isHeld()).isTrue();
    }

    @Test
    void aListenerRegisteredByAListenerIsToldOnce() {
        billing.onChange(lease -> listen(), (lease, reason) -> {});
        billing.elect();
        assertThat(told).containsExactly("elected");
    }

    @Test
    void aRemovedListenerIsNotToldOfTheLoss() {
        Registration registration = listen();
        billing.elect();
        registration.remove();
        registration.remove();
        billing.resign();
        assertThat(told).containsExactly("elected");
        assertThat(billing.listeners()).isZero();
    }

    @Test
    void manyThreadsSeeBothHalvesOfEachTermOrNone() throws Exception {
        int threads = 4;
        int rounds = 500;
        List<String> seen = new java.util.concurrent.CopyOnWriteArrayList<>();
        billing.onChange(
                lease -> seen.add("elected " + lease.term()), (lease, reason) -> seen.add("lost " + lease.term()));
        ExecutorService others = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                boolean elects = i % 2 == 0;
                all.add(others.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        if (elects) {
                            billing.elect();
                        } else {
                            billing.lose(LossReason.TAKEN_OVER);
                        }
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            others.shutdownNow();
        }
        billing.lose(LossReason.TAKEN_OVER);
        long last = 0;
        for (int i = 0; i < seen.size(); i += 2) {
            long term = Long.parseLong(seen.get(i).replace("elected ", ""));
            assertThat(term).isGreaterThan(last);
            assertThat(seen.get(i + 1)).isEqualTo("lost " + term);
            last = term;
        }
        assertThat(seen).isNotEmpty();
        assertThat(billing.failures()).isEmpty();
    }
}
