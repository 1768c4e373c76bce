package dev.tenure.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectorHealth;
import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import dev.tenure.Leadership;
import dev.tenure.LossReason;
import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;

/**
 * Electors within the life of an application, and what they tell it.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeadershipLifecycleTest {
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final ApplicationContextRunner billing = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(TenureAutoConfiguration.class))
            .withPropertyValues("tenure.roles.billing.lease=10m");

    @Test
    void K066_theListenerIsToldOnceAndNotBeforeAllHasStarted() {
        on(store)
                .withBean(Journal.class, Journal::new, definition -> definition.setLazyInit(true))
                .withBean(WebServer.class)
                .run(context -> {
                    context.getBean(Leadership.class).awaitLeadership(Settled.LONGEST);
                    Journal journal = context.getBean(Journal.class);
                    Settled.until("told", () -> journal.lines.contains("gained billing 1 web=true"));
                    assertThat(journal.lines)
                            .filteredOn(line -> line.startsWith("gained"))
                            .hasSize(1);
                    Settled.until(
                            "told of the leader",
                            () -> journal.lines.contains("leader " + name(context.getBean(Leadership.class))));
                });
    }

    @Test
    void lostIsToldBeforeTheReleaseWhileAllElseStillRuns() {
        Journal journal = new Journal();
        on(store)
                .withBean(Journal.class, () -> journal)
                .withBean(WebServer.class)
                .run(context -> {
                    context.getBean(Leadership.class).awaitLeadership(Settled.LONGEST);
                    Settled.until("told", () -> journal.lines.contains("gained billing 1 web=true"));
                });
        assertThat(journal.lines).contains("lost billing " + LossReason.STOPPED + " draining=true web=true");
    }

    @Test
    void K081_aClosedContextHandsOverAtOnce() {
        on(store).run(first -> {
            assertThat(first.getBean(Leadership.class).awaitLeadership(Settled.LONGEST))
                    .isPresent();
            on(store.another()).run(second -> {
                Leadership waiting = second.getBean(Leadership.class);
                first.getSourceApplicationContext().close();
                assertThat(waiting.awaitLeadership(Settled.LONGEST)).isPresent(); // the lease lasts for 10 minutes
            });
        });
    }

    @Test
    void startedByHandOnly() {
        on(store).withPropertyValues("tenure.start=manual").run(context -> {
            LeaderElector elector = context.getBean(LeaderElector.class);
            assertThat(elector.health().status()).isEqualTo(ElectorHealth.Status.STOPPED);
            elector.start();
            assertThat(elector.awaitLeadership(Settled.LONGEST)).isPresent();
            context.getSourceApplicationContext().stop();
            Settled.until("stopped", () -> elector.health().status() == ElectorHealth.Status.STOPPED);
        });
    }

    @Test
    void startedOnReadinessAndAgainAfterAStop() {
        on(store).withPropertyValues("tenure.start=readiness").run(context -> {
            LeaderElector elector = context.getBean(LeaderElector.class);
            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
            assertThat(elector.health().status()).isEqualTo(ElectorHealth.Status.STOPPED);
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            assertThat(elector.awaitLeadership(Settled.LONGEST)).isPresent();
            context.getSourceApplicationContext().stop();
            context.getSourceApplicationContext().start();
            Settled.until("the next term", () -> elector.term() == 2 && elector.isLeader());
        });
    }

    @Test
    void aRoleMayStartDifferently() {
        on(store).withPropertyValues("tenure.roles.reports.start=manual").run(context -> {
            assertThat(context.getBean("billing", Leadership.class).awaitLeadership(Settled.LONGEST))
                    .isPresent();
            assertThat(context.getBean("reports", LeaderElector.class).health().status())
                    .isEqualTo(ElectorHealth.Status.STOPPED);
        });
    }

    @Test
    void aDrainThatSpringCutsIsToldOf(CapturedOutput output) {
        on(store)
                .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=20s")
                .run(context -> assertThat(output.getAll()).doesNotContain("may run on while beans are destroyed"));
        on(store)
                .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=5s")
                .run(context ->
                        assertThat(output.getAll()).contains("work of billing may run on while beans are destroyed"));
    }

    private ApplicationContextRunner on(MemoryLeaseStore of) {
        return billing.withBean(LeaseStore.class, () -> of);
    }

    private static String name(Leadership leadership) {
        return leadership.leader().map(Leader::name).orElse("");
    }

    static class WebServer implements SmartLifecycle {
        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return SmartLifecycle.DEFAULT_PHASE - 1024;
        }
    }

    static class Journal {
        final List<String> lines = new CopyOnWriteArrayList<>();
        private volatile WebServer web = new WebServer();

        @Autowired(required = false)
        void web(WebServer server) {
            web = server;
        }

        @EventListener
        void gained(LeadershipGained event) {
            lines.add("gained " + event.role() + " " + event.lease().term() + " web=" + web.isRunning());
        }

        @EventListener
        void lost(LeadershipLost event) {
            boolean draining = event.lease().remaining().compareTo(Duration.ZERO) > 0;
            lines.add("lost " + event.role() + " " + event.reason() + " draining=" + draining + " web="
                    + web.isRunning());
        }

        @EventListener
        void changed(LeaderChanged event) {
            lines.add("leader " + event.leader().map(Leader::name).orElse("nobody"));
        }
    }
}
