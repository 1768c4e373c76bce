package dev.tenure.spring;

import static dev.tenure.spring.TenureAutoConfigurationTest.analysis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.ReleaseOutcome;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.spring.LeaderOnly.WhenNotLeader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.test.util.AopTestUtils;

/**
 * Methods and beans that belong to the leader.
 */
class LeaderOnlyMethodsTest {
    private final ApplicationContextRunner manual = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(TenureAutoConfiguration.class))
            .withPropertyValues("tenure.start=manual", "tenure.store.url=memory:");

    @Test
    void aFollowerSkipsAndTheSkipIsRecorded() {
        manual.withBean(Jobs.class).withBean(Seen.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            jobs.close();
            assertThat(of(jobs).leases).isEmpty();
            assertThat(context.getBean(Seen.class).events).containsExactly("billing Jobs.close FOLLOWER");
            assertThat(context.getBean(MethodRecords.class).counts().get("Jobs.close"))
                    .containsEntry(SlotOutcome.FOLLOWER, 1L);
        });
    }

    @Test
    void theLeaderRunsUnderItsLease() {
        manual.withBean(Jobs.class).withBean(Seen.class).run(context -> {
            LeaderElector elector = lead(context.getBean(LeaderElector.class));
            Jobs jobs = context.getBean(Jobs.class);
            jobs.close();
            assertThat(of(jobs).leases).containsExactly(elector.lease().orElseThrow());
            assertThat(CurrentLease.find()).isEmpty();
            assertThat(context.getBean(Seen.class).events).containsExactly("billing Jobs.close RAN");
        });
    }

    @Test
    void aFollowerThrowsWhereThatIsAskedFor() {
        manual.withBean(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThatExceptionOfType(LeadershipLostException.class)
                    .isThrownBy(jobs::count)
                    .withMessageContaining("Jobs.count");
            lead(context.getBean(LeaderElector.class));
            assertThat(jobs.count()).isEqualTo(42);
        });
    }

    @Test
    void aCallPastTheProxyShows() {
        manual.withBean(Jobs.class).run(context -> {
            lead(context.getBean(LeaderElector.class));
            Jobs jobs = context.getBean(Jobs.class);
            assertThatIllegalStateException()
                    .isThrownBy(jobs::closeByItself)
                    .withMessageContaining("past the bean's proxy");
        });
    }

    @Test
    void aVoluntaryEndLetsTheRunFinishBeforeTheRelease() {
        manual.withBean(Jobs.class)
                .withPropertyValues("tenure.defaults.drain-timeout=2m")
                .run(context -> {
                    LeaderElector elector = lead(context.getBean(LeaderElector.class));
                    Jobs jobs = context.getBean(Jobs.class);
                    CompletableFuture<Void> run = CompletableFuture.runAsync(jobs::block);
                    await(of(jobs).entered);
                    CompletableFuture<ReleaseOutcome> end = elector.stop();
                    Settled.until("not held", () -> !elector.isLeader());
                    assertThat(end).isNotDone();
                    jobs.close(); // begins nothing new
                    assertThat(of(jobs).leases).isEmpty();
                    of(jobs).mayLeave.countDown();
                    run.get(2, TimeUnit.MINUTES);
                    assertThat(end.get(2, TimeUnit.MINUTES)).isEqualTo(ReleaseOutcome.RELEASED);
                    assertThat(of(jobs).remainingAtTheEnd).isPositive();
                    assertThat(of(jobs).interrupted).isFalse();
                });
    }

    @Test
    void aVoluntaryEndInterruptsAfterItsTime() {
        manual.withBean(Jobs.class)
                .withBean(Seen.class)
                .withPropertyValues("tenure.defaults.drain-timeout=2m", "tenure.defaults.interrupt-after=0s")
                .run(context -> {
                    LeaderElector elector = lead(context.getBean(LeaderElector.class));
                    Jobs jobs = context.getBean(Jobs.class);
                    CompletableFuture<Boolean> run = CompletableFuture.supplyAsync(() -> {
                        jobs.block();
                        return Thread.currentThread().isInterrupted();
                    });
                    await(of(jobs).entered);
                    assertThat(elector.stop().get(2, TimeUnit.MINUTES)).isEqualTo(ReleaseOutcome.RELEASED);
                    assertThat(run.get(2, TimeUnit.MINUTES)).isFalse();
                    assertThat(of(jobs).interrupted).isTrue();
                    assertThat(context.getBean(Seen.class).events).containsExactly("billing Jobs.block INTERRUPTED");
                });
    }

    @Test
    void aLossInterruptsAtOnce() {
        manual.withBean(Jobs.class)
                .withBean(FailingListener.class)
                .withPropertyValues("tenure.defaults.drain-timeout=2m", "tenure.defaults.interrupt-after=2m")
                .run(context -> {
                    LeaderElector elector = lead(context.getBean(LeaderElector.class));
                    Jobs jobs = context.getBean(Jobs.class);
                    CompletableFuture<Void> run = CompletableFuture.runAsync(jobs::block);
                    await(of(jobs).entered);
                    Lease lease = elector.lease().orElseThrow();
                    context.getBean(FailingListener.class).fail.countDown(); // ends the term as WORK_FAILED
                    run.get(2, TimeUnit.MINUTES);
                    assertThat(of(jobs).interrupted).isTrue();
                    assertThat(lease.lossReason()).contains(dev.tenure.LossReason.WORK_FAILED);
                });
    }

    @Test
    void scheduledMethodsRunOnTheLeaderOnly() {
        manual.withUserConfiguration(Scheduling.class).run(context -> {
            ScheduledJob job = context.getBean(ScheduledJob.class);
            MethodRecords records = context.getBean(MethodRecords.class);
            Settled.until("skipped", () -> records.counts().containsKey("ScheduledJob.run"));
            assertThat(of(job).leases).isEmpty();
            LeaderElector elector = lead(context.getBean(LeaderElector.class));
            Settled.until("run", () -> !of(job).leases.isEmpty());
            assertThat(of(job).leases.get(0)).isEqualTo(elector.lease().orElseThrow());
        });
    }

    @Test
    void methodsThatCannotBeGuardedAreRefused() {
        manual.withBean(ReturnsValue.class)
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("ReturnsValue.count returns a value"));
        manual.withBean(HidesMethod.class)
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("HidesMethod.hidden has no effect"));
        manual.withBean(NamesNoRole.class)
                .withPropertyValues("tenure.roles.a.lease=15s", "tenure.roles.b.lease=15s")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("NamesNoRole.run names no role", "[a, b]"));
    }

    @Test
    void theOnlyRoleNeedsNoName() {
        manual.withBean(NamesNoRole.class)
                .withPropertyValues("tenure.roles.nightly.lease=15s")
                .run(context -> {
                    lead(context.getBean(LeaderElector.class));
                    context.getBean(NamesNoRole.class).run();
                    assertThat(context.getBean(NamesNoRole.class).role()).isEqualTo("nightly");
                });
    }

    @Test
    void aLeaderServiceWorksForItsTerm() {
        manual.withBean(Reporter.class).run(context -> {
            LeaderElector elector = context.getBean(LeaderElector.class);
            assertThat(elector.role()).isEqualTo("reports");
            elector.start();
            Reporter reporter = context.getBean(Reporter.class);
            await(reporter.entered);
            assertThat(reporter.sameLease).isTrue();
            assertThat(elector.stop().get(2, TimeUnit.MINUTES)).isEqualTo(ReleaseOutcome.RELEASED);
        });
    }

    @Test
    void B62_twoServicesOfOneRoleAreRefused() {
        manual.withBean("one", Reporter.class)
                .withBean("two", Reporter.class)
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("'reports' is given twice", "'one'", "'two'"));
        manual.withBean(NoWork.class)
                .run(context -> assertThat(analysis(context).getDescription()).contains("no LeaderWork"));
    }

    private static LeaderElector lead(LeaderElector elector) throws InterruptedException {
        elector.start();
        assertThat(elector.awaitLeadership(Settled.LONGEST)).isPresent();
        return elector;
    }

    /**
     * The bean behind its proxy, whose fields are the ones that count.
     */
    private static <T> T of(T bean) {
        return AopTestUtils.getTargetObject(bean);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    }

    static class Jobs {
        final List<Lease> leases = new CopyOnWriteArrayList<>();
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch mayLeave = new CountDownLatch(1);
        volatile boolean interrupted;
        volatile Duration remainingAtTheEnd = Duration.ZERO;

        @LeaderOnly("billing")
        void close() {
            leases.add(CurrentLease.get());
        }

        void closeByItself() {
            close();
        }

        @LeaderOnly(value = "billing", whenNotLeader = WhenNotLeader.THROW)
        int count() {
            return 42;
        }

        @LeaderOnly("billing")
        void block() {
            entered.countDown();
            try {
                mayLeave.await();
                remainingAtTheEnd = CurrentLease.get().remaining();
            } catch (InterruptedException stop) {
                interrupted = true;
                Thread.currentThread().interrupt();
            }
        }
    }

    static class Seen implements ElectionMonitor {
        final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void scheduleRun(String role, String task, Instant slot, SlotOutcome outcome, Duration took) {
            events.add(role + " " + task + " " + outcome);
        }

        @Override
        public void scheduleSkipped(String role, String task, Instant slot, SlotOutcome outcome, long count) {
            events.add(role + " " + task + " " + outcome);
        }
    }

    static class FailingListener {
        final CountDownLatch fail = new CountDownLatch(1);

        @org.springframework.context.event.EventListener
        void gained(LeadershipGained event) throws InterruptedException {
            fail.await();
            throw new IllegalStateException(
                    "on purpose, in term " + event.lease().term());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {
        @Bean
        ScheduledJob scheduledJob() {
            return new ScheduledJob();
        }
    }

    static class ScheduledJob {
        final List<Lease> leases = new CopyOnWriteArrayList<>();

        @Scheduled(fixedDelay = 5)
        @LeaderOnly("billing")
        void run() {
            leases.add(CurrentLease.get());
        }
    }

    static class ReturnsValue {
        @LeaderOnly("billing")
        int count() {
            return 1;
        }
    }

    static class HidesMethod {
        @LeaderOnly("billing")
        @SuppressWarnings("UnusedMethod")
        private void hidden() {}
    }

    static class NamesNoRole {
        private volatile String role = "";

        @LeaderOnly
        void run() {
            role = CurrentLease.get().role();
        }

        String role() {
            return role;
        }
    }

    @LeaderService("reports")
    static class Reporter implements LeaderWork {
        final CountDownLatch entered = new CountDownLatch(1);
        volatile boolean sameLease;

        @Override
        public void lead(Lease lease) throws InterruptedException {
            sameLease = CurrentLease.get().equals(lease);
            entered.countDown();
            while (!lease.awaitLost(Duration.ofMinutes(1))) {
                lease.ensureHeld();
            }
        }
    }

    @LeaderService("reports")
    static class NoWork {}
}
