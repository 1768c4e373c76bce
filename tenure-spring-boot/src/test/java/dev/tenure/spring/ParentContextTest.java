package dev.tenure.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Contexts with a parent that has elections as well, on whose Tenure theirs are.
 */
class ParentContextTest {
    private final ApplicationContextRunner context =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(TenureAutoConfiguration.class));
    private final ApplicationContextRunner parent =
            context.withPropertyValues("tenure.store.url=memory:", "tenure.roles.p.lease=10m");

    private static LeaderElector leading(LeaderElector elector) throws InterruptedException {
        assertThat(elector.awaitLeadership(Settled.LONGEST)).isPresent();
        return elector;
    }

    @Test
    void aChildEndsItsOwnElectionsOnly() {
        parent.run(above -> {
            LeaderElector p = leading(above.getBean("pLeaderElector", LeaderElector.class));
            context.withParent(above)
                    .withPropertyValues("tenure.roles.r.lease=10m")
                    .run(child -> {
                        LeaderElector r = leading(child.getBean("rLeaderElector", LeaderElector.class));
                        child.close();
                        assertThat(r.isLeader()).isFalse();
                    });
            assertThat(p.isLeader()).isTrue();
        });
    }

    @Test
    void aRoleOfTheParentIsTheParents() {
        parent.run(above -> {
            LeaderElector p = leading(above.getBean("pLeaderElector", LeaderElector.class));
            context.withParent(above)
                    .withPropertyValues("tenure.roles.p.lease=10m")
                    .withBean(Job.class)
                    .run(child -> {
                        assertThat(child.getBean("pLeaderElector")).isSameAs(p);
                        Job job = child.getBean(Job.class);
                        job.run();
                        assertThat(job.runs()).isEqualTo(1);
                        child.close();
                    });
            assertThat(p.isLeader()).isTrue();
        });
    }

    @Test
    void workForARoleOfTheParentIsRefusedAndEndsNothing() {
        parent.run(above -> {
            LeaderElector p = leading(above.getBean("pLeaderElector", LeaderElector.class));
            context.withParent(above)
                    .withBean(Work.class)
                    .run(child -> assertThat(
                                    TenureAutoConfigurationTest.analysis(child).getDescription())
                            .contains("for the role 'p', whose elector is that of the parent context"));
            assertThat(p.isLeader()).isTrue();
        });
    }

    static class Job {
        private int runs;

        @LeaderOnly("p")
        void run() {
            runs++;
        }

        int runs() {
            return runs;
        }
    }

    @LeaderService("p")
    static class Work implements LeaderWork {
        @Override
        public void lead(Lease lease) {}
    }
}
