package dev.tenure.verification.bench;

import dev.tenure.LeaseStores;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * A look at a lease, beside a bare look at the clock.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class IsHeldBenchmark {
    private final Tenure tenure = Tenure.on(LeaseStores.inMemory());
    private OwnedLease lease;

    /**
     * For the benchmark runner.
     */
    public IsHeldBenchmark() {
        lease = tenure.acquireAsync("bench").join();
    }

    /**
     * Measures the lease of a long term.
     */
    @Setup
    public void check() {
        lease.ensureHeld();
    }

    /**
     * Hands it back.
     */
    @TearDown
    public void close() {
        lease.close();
        tenure.close();
    }

    @Benchmark
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }

    /**
     * Runs this in a process of its own.
     */
    public static void measure(Figures figures) throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(IsHeldBenchmark.class.getName())
                        .addProfiler(GCProfiler.class)
                        .forks(1)
                        .warmupIterations(3)
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(5)
                        .measurementTime(TimeValue.seconds(1))
                        .build())
                .run();
        for (RunResult result : results) {
            String name = result.getPrimaryResult().getLabel();
            boolean held = name.equals("isHeld");
            String aim = held ? "<= 40" : "(for comparison)";
            figures.add(name + "()", result.getPrimaryResult().getScore(), "ns", aim);
            Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
            if (held && allocated != null) {
                figures.add("isHeld() allocates", allocated.getScore(), "B", "0");
            }
        }
    }
}
