package dev.tenure.channel;

import dev.tenure.Leadership;
import dev.tenure.engine.Time;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * A channel on a scripted leadership, with a clock that the test moves and a log that it reads.
 */
@Timeout(60)
abstract class ChannelTestBase {
    final ScriptedLeadership leadership = new ScriptedLeadership();
    final AtomicLong clock = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream before = System.err;

    /** Of the drop summaries, and of a {@link ScriptedHost}. */
    final Time time = new Time() {
        @Override
        public long now() {
            return clock.get();
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public long uptimeNanos() {
            return -1;
        }
    };

    @BeforeEach
    void captureLog() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void end() throws InterruptedException {
        System.setErr(before);
        threads.shutdownNow();
        threads.awaitTermination(10, TimeUnit.SECONDS);
    }

    /**
     * The lines of the log, and none of them again.
     */
    List<String> newLines() {
        List<String> lines = written.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("channel changes"))
                .toList();
        written.reset();
        return lines;
    }

    static LeaderChannel<Integer> channel(Leadership leadership, Consumer<LeaderChannel.Builder<Integer>> options) {
        LeaderChannel.Builder<Integer> builder = LeaderChannel.builder("changes", leadership);
        options.accept(builder);
        return builder.build();
    }

    LeaderChannel<Integer> channel(int capacity, FullMode mode) {
        return channel(leadership, options -> options.capacity(capacity).whenFull(mode));
    }

    /**
     * One whose summaries follow {@link #clock}.
     */
    LeaderChannel<Integer> timed(Consumer<LeaderChannel.Builder<Integer>> options) {
        LeaderChannel.Builder<Integer> builder = LeaderChannel.builder("changes", leadership);
        options.accept(builder);
        return builder.build(time);
    }

    void pass(Duration by) {
        clock.addAndGet(by.toNanos());
    }

    static List<Integer> items(LeaderChannel<Integer> channel) {
        List<LeaderChannel.Admitted<Integer>> all = new ArrayList<>();
        channel.drainTo(all);
        return all.stream().map(LeaderChannel.Admitted::item).toList();
    }

    <T> Future<T> begin(Callable<T> call) {
        return threads.submit(call);
    }

    /**
     * What another thread gets from it, which it would not if this one held a lock.
     */
    <T> T elsewhere(Callable<T> call) {
        try {
            return begin(call).get(10, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException stuck) {
            throw new AssertionError("the channel is locked", stuck);
        }
    }

    /**
     * Begins a call, and gives its thread once that waits.
     */
    Waiter waiting(Interruptible call) {
        AtomicReference<Thread> runner = new AtomicReference<>();
        Future<Boolean> result = begin(() -> {
            runner.set(Thread.currentThread());
            call.run();
            return Thread.interrupted();
        });
        await(() -> result.isDone()
                || (runner.get() != null
                        && (runner.get().getState() == Thread.State.WAITING
                                || runner.get().getState() == Thread.State.TIMED_WAITING)));
        return new Waiter(runner.get(), result);
    }

    /**
     * @param result whether the thread was left interrupted
     */
    record Waiter(Thread thread, Future<Boolean> result) {}

    /**
     * A call that may wait.
     */
    interface Interruptible {
        void run() throws InterruptedException;
    }

    static void await(BooleanSupplier condition) {
        long from = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - from > TimeUnit.SECONDS.toNanos(30)) {
                throw new AssertionError("not within 30 s");
            }
            LockSupport.parkNanos(100_000);
        }
    }
}
