package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.InvalidOptionsException;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.channel.FullMode;
import dev.tenure.channel.LeaderChannel;
import dev.tenure.channel.LeaderChannel.Drops;
import dev.tenure.schedule.AfterHandOver;
import dev.tenure.schedule.LeaderScheduler;
import dev.tenure.schedule.Schedule;
import dev.tenure.schedule.SlotOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Channels and schedules on a double: all on the thread of the test.
 */
class FakeWithChannelsAndSchedulesTest {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final FakeLeadership billing = FakeLeadership.of("billing");
    private final List<String> ran = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private LeaderChannel<Integer> channel(boolean drainOnLoss) {
        return LeaderChannel.<Integer>builder("changes", billing)
                .capacity(1)
                .whenFull(FullMode.WAIT)
                .drainOnLoss(drainOnLoss)
                .build();
    }

    @Test
    void aChannelKeepsWhatALeaderWrites() {
        try (LeaderChannel<Integer> channel = channel(false)) {
            assertThat(channel.offer(1)).isTrue();
            billing.elect();
            assertThat(channel.offer(2)).isTrue();
            assertThat(channel.offer(3)).isFalse();
            CompletableFuture<Void> waits = channel.putAsync(4);
            CompletableFuture<Void> other = waits.thenRun(() -> threads.add(Thread.currentThread()));
            assertThat(channel.poll().orElseThrow().item()).isEqualTo(2);
            assertThat(other).isCompleted();
            assertThat(threads).containsExactly(Thread.currentThread());
            CompletableFuture<Void> lost = channel.putAsync(5);
            billing.lose(LossReason.TAKEN_OVER);
            assertThat(lost).isCompleted();
            assertThat(channel.poll().orElseThrow().isCurrent()).isFalse();
            assertThat(channel.drops()).isEqualTo(new Drops(2, 0, 0));
            assertThat(billing.listeners()).isEqualTo(1);
        }
        assertThat(billing.listeners()).isZero();
    }

    @Test
    void aChannelDrainsOnLossAndDoesNotCountAsALook() {
        try (LeaderChannel<Integer> channel = channel(true)) {
            billing.elect();
            channel.offer(1);
            billing.advance(Duration.ofMillis(13_500));
            assertThat(channel.size()).isZero();
            assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 1));
        }
        try (LeaderChannel<Integer> channel = channel(false)) {
            billing.electForChecks(0);
            channel.offer(1);
            assertThat(channel.size()).isEqualTo(1);
        }
    }

    @Test
    void scheduledTasksRunWhenTimeHasPassed() {
        try (LeaderScheduler scheduler = LeaderScheduler.on(billing)) {
            scheduler.schedule("report", Schedule.fixedRate(Duration.ofMinutes(1)), (lease, slot) -> {
                ran.add(lease.fencingToken() + " " + Duration.between(BEGIN, slot));
                threads.add(Thread.currentThread());
            });
            billing.advance(Duration.ofMinutes(1));
            billing.elect();
            billing.advanceRenewing(Duration.ofMinutes(2));
            billing.lose(LossReason.TAKEN_OVER);
            billing.advance(Duration.ofMinutes(1));
            billing.elect();
            billing.advanceRenewing(Duration.ofSeconds(59));
            assertThat(ran).containsExactly("billing=1 PT2M", "billing=1 PT3M");
            billing.advanceRenewing(Duration.ofSeconds(1));
            assertThat(ran).containsExactly("billing=1 PT2M", "billing=1 PT3M", "billing=2 PT5M");
            assertThat(threads).containsOnly(Thread.currentThread());
            assertThat(scheduler.tasks().get(0).count(SlotOutcome.FOLLOWER)).isEqualTo(2);
            assertThat(billing.listeners()).isEqualTo(1);
        }
        billing.advanceRenewing(Duration.ofMinutes(1));
        assertThat(ran).hasSize(3);
        assertThat(billing.listeners()).isZero();
    }

    @Test
    void delaysCountFromTheEndOfTheRunBeforeAndCalendarsAreFollowed() {
        try (LeaderScheduler scheduler = LeaderScheduler.on(billing)) {
            billing.elect();
            scheduler.schedule("poll", Schedule.fixedDelay(Duration.ofSeconds(10)), lease -> {
                ran.add("poll " + Duration.between(BEGIN, billing.now()));
                billing.advanceRenewing(Duration.ofSeconds(1)); // takes so long
            });
            scheduler.schedule(
                    "daily",
                    Schedule.calendar(ZoneOffset.UTC, after -> after.plusSeconds(15)),
                    options ->
                            options.afterHandOver(AfterHandOver.AT_LEAST_ONCE).needs(Duration.ofSeconds(1)),
                    lease -> ran.add("calendar " + Duration.between(BEGIN, billing.now())));
            billing.advanceRenewing(Duration.ofSeconds(20));
        }
        assertThat(ran).contains("poll PT0S", "poll PT11S").anyMatch(line -> line.startsWith("calendar "));
        assertThat(billing.failures()).isEmpty();
    }

    @Test
    void aTaskIsInterruptedByTheLossAndDrainedByAnEnd() {
        try (LeaderScheduler scheduler = LeaderScheduler.on(billing)) {
            List<CompletableFuture<ReleaseOutcome>> outcomes = new ArrayList<>();
            scheduler.schedule("report", Schedule.fixedRate(Duration.ofMinutes(1)), lease -> {
                if (lease.term() == 1) {
                    billing.lose(LossReason.TAKEN_OVER);
                    ran.add("interrupted=" + Thread.currentThread().isInterrupted());
                } else {
                    outcomes.add(billing.resign());
                    ran.add("interrupted=" + Thread.currentThread().isInterrupted() + " left="
                            + !lease.remaining().isZero() + " done="
                            + outcomes.get(0).isDone());
                }
            });
            billing.elect();
            billing.advanceRenewing(Duration.ofMinutes(1));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            billing.elect();
            billing.advanceRenewing(Duration.ofMinutes(1));
            assertThat(ran).containsExactly("interrupted=true", "interrupted=false left=true done=false");
            assertThat(outcomes.get(0)).isCompletedWithValue(ReleaseOutcome.RELEASED);
            assertThat(scheduler.tasks().get(0).count(SlotOutcome.INTERRUPTED)).isEqualTo(1);
        }
    }

    @Test
    void aTaskThatThrowsEndsTheTermOnlyIfItIsFencedOut() {
        IllegalStateException failure = new IllegalStateException("report");
        FencedOutException fenced = new FencedOutException(new FencingToken("billing", 1), 2);
        List<RuntimeException> next = new ArrayList<>(List.of(failure, fenced));
        try (LeaderScheduler scheduler = LeaderScheduler.on(billing)) {
            scheduler.schedule("report", Schedule.fixedRate(Duration.ofMinutes(1)), lease -> {
                throw next.remove(0);
            });
            billing.elect();
            billing.advanceRenewing(Duration.ofMinutes(1));
            assertThat(billing.isLeader()).isTrue();
            billing.advanceRenewing(Duration.ofMinutes(1));
            assertThat(billing.history()).containsExactly("elected billing=1", "lost billing=1 TAKEN_OVER");
            assertThat(billing.failures()).containsExactly(failure, fenced);
        }
    }

    @Test
    void whatATaskNeedsIsJudgedByTheLease() {
        try (LeaderScheduler scheduler = LeaderScheduler.on(billing)) {
            Schedule rate = Schedule.fixedRate(Duration.ofMinutes(1));
            assertThatThrownBy(() -> scheduler.schedule(
                            "long", rate, options -> options.needs(Duration.ofSeconds(14)), lease -> ran.add("long")))
                    .isInstanceOf(InvalidOptionsException.class);
            scheduler.schedule(
                    "needs", rate, options -> options.needs(Duration.ofSeconds(10)), lease -> ran.add("needs"));
            billing.elect();
            billing.advanceRenewing(Duration.ofSeconds(50));
            billing.renew();
            billing.advance(Duration.ofSeconds(10));
            assertThat(ran).isEmpty();
            assertThat(scheduler.tasks().get(0).count(SlotOutcome.LEASE_TOO_SHORT))
                    .isEqualTo(1);
        }
    }
}
