package dev.tenure.verification.bench;

import dev.tenure.LeaderElector;
import dev.tenure.Tenure;
import dev.tenure.channel.FullMode;
import dev.tenure.channel.LeaderChannel;
import dev.tenure.memory.MemoryLeaseStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * A channel beside the JDK's bounded queue: on one thread, from one thread to another, and a follower's dropped write.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ChannelBenchmark {
    private static final int CAPACITY = 10_000;
    private static final double MEDIAN = 50; // of many short runs: what else the machine does shows less than in a mean
    private static final Object ITEM = new Object();

    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final Tenure leading = Tenure.on(store);
    private final Tenure following = Tenure.on(store.another());
    private final LeaderChannel<Object> leaders;
    private final LeaderChannel<Object> followers;
    private final ArrayBlockingQueue<Object> queue = new ArrayBlockingQueue<>(CAPACITY);

    /**
     * For the benchmark runner. The follower has led before.
     */
    public ChannelBenchmark() {
        LeaderElector leader = leading.elector("bench");
        LeaderElector follower = following.elector("bench").start();
        leaders = channel(leader);
        followers = channel(follower);
        try {
            follower.awaitLeadership();
            leader.start();
            follower.resign().join();
            leader.awaitLeadership();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
        if (follower.isLeader()) {
            throw new IllegalStateException("the follower leads");
        }
    }

    private static LeaderChannel<Object> channel(LeaderElector elector) {
        return LeaderChannel.builder("bench", elector)
                .capacity(CAPACITY)
                .whenFull(FullMode.WAIT)
                .build();
    }

    /**
     * Ends the elections.
     */
    @TearDown
    public void close() {
        leading.close();
        following.close();
    }

    @Benchmark
    @Group("channelAlone")
    public void channelAlone(Blackhole hole) {
        hole.consume(leaders.offer(ITEM));
        hole.consume(leaders.poll());
    }

    @Benchmark
    @Group("queueAlone")
    public void queueAlone(Blackhole hole) {
        hole.consume(queue.offer(ITEM));
        hole.consume(queue.poll());
    }

    /**
     * What a queue would cost that looks at the clock for each item.
     */
    @Benchmark
    @Group("queueAndClock")
    public void queueAndClock(Blackhole hole) {
        hole.consume(System.nanoTime());
        hole.consume(queue.offer(ITEM));
        hole.consume(queue.poll());
    }

    @Benchmark
    @Group("channelBetween")
    public void channelWrite(Control control) {
        while (!leaders.offer(ITEM) && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
    }

    @Benchmark
    @Group("channelBetween")
    public void channelRead(Control control, Blackhole hole) {
        while (leaders.poll().isEmpty() && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
        hole.consume(leaders);
    }

    @Benchmark
    @Group("queueBetween")
    public void queueWrite(Control control) {
        while (!queue.offer(ITEM) && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
    }

    @Benchmark
    @Group("queueBetween")
    public void queueRead(Control control, Blackhole hole) {
        while (queue.poll() == null && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
        hole.consume(queue);
    }

    @Benchmark
    @Group("follower")
    public boolean followersWrite() {
        return followers.offer(ITEM);
    }

    /**
     * Runs this in processes of its own.
     */
    public static void measure(Figures figures) throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(ChannelBenchmark.class.getName())
                        .addProfiler(GCProfiler.class)
                        .forks(2)
                        .warmupIterations(4)
                        .warmupTime(TimeValue.milliseconds(500))
                        .measurementIterations(40)
                        .measurementTime(TimeValue.milliseconds(100))
                        .jvmArgsAppend("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch") // no page is touched first
                        .build())
                .run();
        Map<String, Double> nanos = new HashMap<>();
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            String group = name.substring(name.lastIndexOf('.') + 1);
            nanos.put(group, result.getPrimaryResult().getStatistics().getPercentile(MEDIAN));
            Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
            if (group.equals("follower") && allocated != null) {
                figures.add("channel: follower's dropped write", value(nanos, group), "ns", "<= 30");
                figures.add("channel: follower's dropped write allocates", allocated.getScore(), "B", "0");
            }
        }
        compare(figures, nanos, "between two threads", "Between");
        compare(figures, nanos, "on one thread", "Alone");
        figures.add("queue and a look at the clock, on one thread", value(nanos, "queueAndClock"), "ns", "(compare)");
    }

    private static void compare(Figures figures, Map<String, Double> nanos, String where, String suffix) {
        double channel = value(nanos, "channel" + suffix);
        double queue = value(nanos, "queue" + suffix);
        figures.add("channel: offer and poll " + where, channel, "ns", "(compare)");
        figures.add("ArrayBlockingQueue: offer and poll " + where, queue, "ns", "(compare)");
        figures.add("channel: speed of the queue's " + where, 100 * queue / channel, "%", ">= 70");
    }

    private static double value(Map<String, Double> nanos, String group) {
        return nanos.getOrDefault(group, Double.NaN);
    }
}
