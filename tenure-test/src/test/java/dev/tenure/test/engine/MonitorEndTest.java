package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LeaseStores;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.Tenure;
import dev.tenure.channel.LeaderChannel;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What monitors are told besides the course of a term: its predecessor, channels, the end of the Tenure.
 */
class MonitorEndTest extends EngineTest {
    private final List<String> told = new ArrayList<>();

    private final ElectionMonitor monitor = new ElectionMonitor() {
        @Override
        public void elected(Lease lease) {
            told.add("elected");
        }

        @Override
        public void tookOver(Lease lease, Duration vacant) {
            told.add("tookOver " + vacant);
        }

        @Override
        public void lost(Lease lease, LossReason reason, Duration held) {
            told.add("lost " + lease.role());
        }

        @Override
        public void released(Lease lease, ReleaseOutcome outcome, Duration drained) {
            told.add("released " + lease.role());
        }

        @Override
        public void stopped(String role) {
            told.add("stopped " + role);
        }

        @Override
        public void channelOpened(String role, String channel) {
            told.add("channelOpened " + role + " " + channel);
        }

        @Override
        public void closed() {
            told.add("closed");
        }
    };

    private VirtualTenure monitored() {
        return processWith("a", setup -> setup.monitor(monitor));
    }

    @Test
    void closedIsToldOnceAndLast() {
        VirtualTenure a = monitored();
        leader(a);
        a.stand("reports");
        world.settle();
        told.clear();
        a.close();
        a.tenure().close();
        advanceTo(10);
        assertThat(told).endsWith("closed").containsOnlyOnce("closed");
        assertThat(told)
                .contains("lost billing", "released billing", "stopped billing", "released reports", "stopped reports");
    }

    @Test
    void closedIsToldThoughNothingEverStood() {
        VirtualTenure a = monitored();
        a.close();
        world.settle();
        assertThat(told).containsExactly("closed");
    }

    @Test
    void closedWaitsForACallThatHasNotReturned() {
        VirtualTenure a = processWith(
                "a",
                setup -> setup.monitor(monitor).monitor(new ElectionMonitor() {
                    @Override
                    public void elected(Lease lease) {
                        take(seconds(100));
                    }

                    @Override
                    public void lost(Lease lease, LossReason reason, Duration held) {
                        told.add("slow lost");
                    }

                    @Override
                    public void closed() {
                        told.add("slow closed");
                    }
                }));
        leader(a);
        told.clear();
        a.close();
        world.settle();
        assertThat(told).contains("closed").doesNotContain("slow closed");
        world.advance(seconds(101));
        assertThat(told).endsWith("slow lost", "slow closed");
    }

    @Test
    void whatAMonitorThrowsDoesNotKeepTheEndFromIt() {
        VirtualTenure a = processWith(
                "a",
                setup -> setup.monitor(new ElectionMonitor() {
                    @Override
                    public void lost(Lease lease, LossReason reason, Duration held) {
                        throw new IllegalStateException("thrown by a monitor");
                    }

                    @Override
                    public void closed() {
                        told.add("closed");
                    }
                }));
        leader(a);
        a.close();
        world.settle();
        assertThat(told).containsExactly("closed");
        assertThat(log.text()).contains("thrown by a monitor");
    }

    @Test
    void aChannelIsToldOfWhenItIsMade() {
        VirtualTenure a = monitored();
        LeaderChannel.<Integer>builder("changes", a.tenure().elector(ROLE)).build();
        world.settle();
        assertThat(told).containsExactly("channelOpened billing changes");
    }

    @Test
    void vacancyCountsFromTheFirstWakeUpAfterTheLastLook() {
        LeaderElector first = leader(process("b"));
        VirtualTenure a = monitored();
        LeaderElector second = a.stand(ROLE);
        advanceTo(2);
        store().on(Kind.ACQUIRE).from("a").once().fail(EngineTest::outage);
        first.stop(); // wakes the other, whose request fails and is repeated after a second
        advanceTo(8);
        assertThat(second.isLeader()).isTrue();
        assertThat(told.get(0)).isEqualTo("elected");
        Duration vacant = Duration.parse(told.get(1).replace("tookOver ", ""));
        assertThat(vacant).isBetween(seconds(1), seconds(1.1));
    }

    @Test
    void nobodyIsTakenOverFromWithoutARecordOfAnother() {
        VirtualTenure a = monitored();
        LeaderElector elector = leader(a);
        elector.resign();
        advanceTo(2);
        elector.stop();
        advanceTo(3);
        elector.start();
        advanceTo(4);
        assertThat(elector.isLeader()).isTrue();
        assertThat(told).contains("elected").noneMatch(each -> each.startsWith("tookOver"));
    }

    @Test
    void closedIsToldThoughACallNeverReturns() throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch inElected = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        ElectionMonitor stuck = new ElectionMonitor() {
            @Override
            public void elected(Lease lease) {
                inElected.countDown();
                try {
                    hangs.await();
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            }

            @Override
            public void closed() {
                closed.countDown();
            }
        };
        try {
            try (Tenure tenure =
                    Tenure.builder(LeaseStores.inMemory()).monitor(stuck).build()) {
                tenure.elector(ROLE).start();
                assertThat(inElected.await(60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            hangs.countDown();
        }
    }
}
