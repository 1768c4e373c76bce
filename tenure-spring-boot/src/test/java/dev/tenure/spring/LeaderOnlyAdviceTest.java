package dev.tenure.spring;

import static dev.tenure.spring.TenureAutoConfigurationTest.analysis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.spring.LeaderOnly.WhenNotLeader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * {@code @LeaderOnly} among other advice, and the methods that it cannot keep its word for.
 */
class LeaderOnlyAdviceTest {
    private final ApplicationContextRunner manual = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(TenureAutoConfiguration.class))
            .withPropertyValues("tenure.start=manual", "tenure.store.url=memory:");

    @Test
    void aSkipOpensNoTransactionAndARunIsWithinOne() {
        manual.withUserConfiguration(Transactions.class).withBean(Ledger.class).run(context -> {
            Journal journal = context.getBean(Journal.class);
            Ledger ledger = context.getBean(Ledger.class);
            ledger.book();
            assertThat(journal.lines).isEmpty();
            lead(context.getBean(LeaderElector.class));
            ledger.book();
            assertThat(journal.lines).containsExactly("begin led", "run led", "commit led");
        });
    }

    @Test
    void interfacesKeepTheOrderToo() {
        manual.withUserConfiguration(TransactionsOverInterfaces.class)
                .withBean(BookedByInterface.class)
                .run(context -> {
                    Journal journal = context.getBean(Journal.class);
                    Books ledger = context.getBean(Books.class);
                    ledger.book();
                    assertThat(journal.lines).isEmpty();
                    lead(context.getBean(LeaderElector.class));
                    ledger.book();
                    assertThat(journal.lines).containsExactly("begin led", "run led", "commit led");
                });
    }

    @Test
    void theCheckOfAnAsyncMethodIsMadeWhereItRuns() {
        manual.withUserConfiguration(Asynchronous.class).withBean(Mailer.class).run(context -> {
            Mailer mailer = context.getBean(Mailer.class);
            mailer.send();
            MethodRecords records = context.getBean(MethodRecords.class);
            Settled.until("skipped", () -> records.counts().containsKey("Mailer.send"));
            assertThatThrownBy(() -> mailer.count().get(2, TimeUnit.MINUTES))
                    .hasCauseInstanceOf(LeadershipLostException.class);
            LeaderElector elector = lead(context.getBean(LeaderElector.class));
            assertThat(mailer.count().get(2, TimeUnit.MINUTES)).isEqualTo(elector.term());
            mailer.send();
            Settled.until("run", () -> !mailer.sentOn().isEmpty());
            assertThat(mailer.sentOn().get(0)).startsWith("async-");
        });
    }

    @Test
    void aRunWhosePromiseIsNotKeptYetIsNotOver() {
        manual.withUserConfiguration(Asynchronous.class)
                .withPropertyValues("tenure.defaults.drain-timeout=2m")
                .withBean(Mailer.class)
                .run(context -> {
                    LeaderElector elector = lead(context.getBean(LeaderElector.class));
                    Mailer mailer = context.getBean(Mailer.class);
                    Future<String> promise = mailer.later();
                    Settled.until("entered", mailer::isEntered);
                    var end = elector.stop();
                    Settled.until("not held", () -> !elector.isLeader());
                    assertThat(end).isNotDone();
                    mailer.keepPromise("kept");
                    assertThat(promise.get(2, TimeUnit.MINUTES)).isEqualTo("kept");
                    assertThat(end.get(2, TimeUnit.MINUTES)).isEqualTo(dev.tenure.ReleaseOutcome.RELEASED);
                });
    }

    @Test
    void scheduledTransactionalAndLeaderOnlyTogether() {
        manual.withUserConfiguration(Transactions.class, Schedules.class)
                .withBean(Nightly.class)
                .run(context -> {
                    MethodRecords records = context.getBean(MethodRecords.class);
                    Journal journal = context.getBean(Journal.class);
                    Settled.until("skipped", () -> records.counts().containsKey("Nightly.run"));
                    assertThat(journal.lines).isEmpty();
                    lead(context.getBean(LeaderElector.class));
                    Settled.until("committed", () -> journal.lines.contains("commit led"));
                    assertThat(journal.lines).startsWith("begin led", "run led", "commit led");
                });
    }

    @Test
    void aRunThatIsFencedOutEndsItsTerm() {
        manual.withBean(Fenced.class).run(context -> {
            LeaderElector elector = lead(context.getBean(LeaderElector.class));
            Lease lease = elector.lease().orElseThrow();
            Fenced fenced = context.getBean(Fenced.class);
            assertThatThrownBy(fenced::fail).hasMessage("on purpose");
            assertThat(lease.isHeld()).isTrue();
            assertThatThrownBy(fenced::write).isInstanceOf(FencedOutException.class);
            Settled.until("ended", () -> !lease.isHeld());
            assertThat(lease.lossReason()).contains(LossReason.TAKEN_OVER);
            assertThat(context.getBean(MethodRecords.class).counts().get("Fenced.write"))
                    .containsEntry(SlotOutcome.FAILED, 1L);
        });
    }

    @Test
    void aFencedOutPromiseEndsItsTermAndCountsAsFailed() {
        manual.withUserConfiguration(Asynchronous.class)
                .withBean(FencedLater.class)
                .run(context -> {
                    LeaderElector elector = lead(context.getBean(LeaderElector.class));
                    Lease lease = elector.lease().orElseThrow();
                    Future<String> promise = context.getBean(FencedLater.class).later();
                    assertThatThrownBy(promise::get).hasRootCauseInstanceOf(FencedOutException.class);
                    Settled.until("ended", () -> !lease.isHeld());
                    assertThat(lease.lossReason()).contains(LossReason.TAKEN_OVER);
                    Settled.until(
                            "counted",
                            () -> context.getBean(MethodRecords.class)
                                    .counts()
                                    .getOrDefault("FencedLater.later", Map.of())
                                    .containsKey(SlotOutcome.FAILED));
                });
    }

    @Test
    void whatReturnsBeforeItsWorkIsDoneIsRefused() {
        manual.withBean(ReturnsFuture.class)
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("ReturnsFuture.later returns a CompletableFuture"));
        manual.withBean(ReturnsPublisher.class)
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("ReturnsPublisher.all returns a Publisher"));
        manual.withUserConfiguration(Asynchronous.class)
                .withBean(SkipsValue.class)
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("SkipsValue.later returns a value"));
    }

    @Test
    void whatTheProxyDoesNotReachIsRefused() {
        manual.withBean(FinalClass.class)
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("FinalClass.run has no effect"));
        manual.withBean(FinalMethod.class)
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("FinalMethod.run has no effect"));
        manual.withBean(StaticMethod.class)
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("StaticMethod.run has no effect"));
        manual.withUserConfiguration(TransactionsOverInterfaces.class)
                .withBean(BeyondItsInterface.class)
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("BeyondItsInterface.hidden has no effect", "interfaces"));
    }

    @Test
    void lookingForRolesMakesNoBean() {
        manual.withUserConfiguration(Factories.class).run(context -> {
            assertThat(context.getBean("billing", LeaderElector.class)).isNotNull();
            assertThat(Factory.EARLY.get()).isZero();
            assertThat(context.getBean(Roles.class).names()).containsExactly("billing");
        });
    }

    private static LeaderElector lead(LeaderElector elector) throws InterruptedException {
        elector.start();
        assertThat(elector.awaitLeadership(Settled.LONGEST)).isPresent();
        return elector;
    }

    static class Journal {
        final List<String> lines = new CopyOnWriteArrayList<>();

        void add(String what) {
            lines.add(what + (CurrentLease.find().isPresent() ? " led" : " alone"));
        }
    }

    static class CountingTransactions extends AbstractPlatformTransactionManager {
        private final transient Journal journal;

        CountingTransactions(Journal journal) {
            this.journal = journal;
        }

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            journal.add("begin");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            journal.add("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            journal.add("rollback");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Manager {
        @Bean
        Journal journal() {
            return new Journal();
        }

        @Bean
        CountingTransactions transactionManager(Journal journal) {
            return new CountingTransactions(journal);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Transactions extends Manager {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class TransactionsOverInterfaces extends Manager {}

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Schedules {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchronous {
        @Bean
        Executor taskExecutor() {
            return new SimpleAsyncTaskExecutor("async-");
        }
    }

    static class Ledger {
        private final Journal journal;

        Ledger(Journal journal) {
            this.journal = journal;
        }

        @Transactional
        @LeaderOnly("billing")
        public void book() {
            journal.add("run");
        }
    }

    interface Books {
        void book();
    }

    static class BookedByInterface implements Books {
        private final Journal journal;

        BookedByInterface(Journal journal) {
            this.journal = journal;
        }

        @Override
        @Transactional
        @LeaderOnly("billing")
        public void book() {
            journal.add("run");
        }
    }

    static class BeyondItsInterface implements Books {
        @Override
        @Transactional
        public void book() {}

        @LeaderOnly("billing")
        public void hidden() {}
    }

    static class Nightly {
        private final Journal journal;

        Nightly(Journal journal) {
            this.journal = journal;
        }

        @Scheduled(fixedDelay = 5)
        @Transactional
        @LeaderOnly("billing")
        public void run() {
            journal.add("run");
        }
    }

    static class Mailer {
        private final List<String> sentOn = new CopyOnWriteArrayList<>();
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CompletableFuture<String> promise = new CompletableFuture<>();

        @Async
        @LeaderOnly("billing")
        public void send() {
            sentOn.add(Thread.currentThread().getName());
        }

        @Async
        @LeaderOnly(value = "billing", whenNotLeader = WhenNotLeader.THROW)
        public CompletableFuture<Long> count() {
            return CompletableFuture.completedFuture(CurrentLease.get().term());
        }

        @Async
        @LeaderOnly(value = "billing", whenNotLeader = WhenNotLeader.THROW)
        public Future<String> later() {
            entered.countDown();
            return promise;
        }

        public List<String> sentOn() {
            return sentOn;
        }

        public boolean isEntered() {
            return entered.getCount() == 0;
        }

        public void keepPromise(String result) {
            promise.complete(result);
        }
    }

    static class Fenced {
        @LeaderOnly("billing")
        void fail() {
            throw new IllegalStateException("on purpose");
        }

        @LeaderOnly("billing")
        void write() {
            FencingToken own = CurrentLease.get().fencingToken();
            throw new FencedOutException(own, own.value() + 1);
        }
    }

    static class FencedLater {
        @Async
        @LeaderOnly(value = "billing", whenNotLeader = WhenNotLeader.THROW)
        CompletableFuture<String> later() {
            FencingToken own = CurrentLease.get().fencingToken();
            return CompletableFuture.failedFuture(
                    new IllegalStateException("wrapped", new FencedOutException(own, own.value() + 1)));
        }
    }

    static class ReturnsFuture {
        @LeaderOnly(value = "billing", whenNotLeader = WhenNotLeader.THROW)
        CompletableFuture<String> later() {
            return new CompletableFuture<>();
        }
    }

    static class ReturnsPublisher {
        @LeaderOnly(value = "billing", whenNotLeader = WhenNotLeader.THROW)
        Flow.Publisher<String> all() {
            return subscriber -> {};
        }
    }

    static class SkipsValue {
        @Async
        @LeaderOnly("billing")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("");
        }
    }

    static final class FinalClass {
        @LeaderOnly("billing")
        void run() {}
    }

    static class FinalMethod {
        @LeaderOnly("billing")
        final void run() {}
    }

    static class StaticMethod {
        @LeaderOnly("billing")
        static void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Factories {
        @Bean
        static FactoryBean<?> made(ConfigurableListableBeanFactory beans) {
            return new Factory(beans);
        }

        @Bean
        Job job() {
            return new Job();
        }
    }

    static class Job {
        @LeaderOnly("billing")
        void run() {}
    }

    /**
     * Counts how often it was made before the roles were known.
     */
    static class Factory implements FactoryBean<Object> {
        static final AtomicInteger EARLY = new AtomicInteger();

        Factory(ConfigurableListableBeanFactory beans) {
            if (!beans.containsSingleton("tenureRoles")) {
                EARLY.incrementAndGet();
            }
        }

        @Override
        public Object getObject() {
            return "made";
        }

        @Override
        public Class<?> getObjectType() {
            return String.class;
        }
    }
}
