package dev.tenure.redis;

import static dev.tenure.redis.FenceTests.await;
import static dev.tenure.redis.FenceTests.freshKey;
import static dev.tenure.redis.FenceTests.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.FencedOutException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Several leaders at once, each with connections of its own.
 */
@Isolated("breaks servers that others use, or counts what they do")
class RedisFenceRaceTest {
    private static final int LEADERS = 8;
    private static final int WRITES = 400;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<StatefulRedisConnection<String, String>> connections = new ArrayList<>();
    private final String key = freshKey();
    private final String record = "{" + key + "}:tenure-fence";

    @BeforeEach
    void connect() {
        for (int i = 0; i <= LEADERS; i++) {
            connections.add(FenceTests.connectServer());
        }
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        connections.forEach(StatefulRedisConnection::close);
    }

    private interface Write {
        void begin(RedisFence fence, long token) throws Throwable;
    }

    /**
     * Every leader writes for terms around the newest one, and begins a new term now and then. Answers how many writes
     * were accepted.
     */
    private int race(AtomicLong newest, Write write) throws Exception {
        CyclicBarrier start = new CyclicBarrier(LEADERS);
        List<Callable<Integer>> leaders = new ArrayList<>();
        for (int i = 0; i < LEADERS; i++) {
            RedisFence fence = RedisFence.on(connections.get(i));
            leaders.add(() -> {
                start.await(60, TimeUnit.SECONDS);
                int accepted = 0;
                long own = 1;
                for (int n = 0; n < WRITES; n++) {
                    long luck = ThreadLocalRandom.current().nextInt(10);
                    if (luck == 0) {
                        own = newest.incrementAndGet();
                    } else if (luck == 1) {
                        own = newest.get();
                    }
                    accepted += passes(fence, own, write) ? 1 : 0;
                }
                return accepted;
            });
        }
        int accepted = 0;
        for (Future<Integer> each : threads.invokeAll(leaders)) {
            accepted += each.get();
        }
        assertThat(accepted).isBetween(1, LEADERS * WRITES - 1);
        return accepted;
    }

    private static boolean passes(RedisFence fence, long token, Write write) throws Exception {
        try {
            write.begin(fence, token);
            return true;
        } catch (FencedOutException out) {
            assertThat(out.highest()).isGreaterThan(token);
            return false;
        } catch (Throwable failed) {
            throw new Exception(failed);
        }
    }

    @Test
    void I4_noWriteComesAfterOneOfAHigherToken() throws Exception {
        AtomicLong newest = new AtomicLong(1);
        int accepted = race(
                newest,
                (fence, token) -> await(fence.eval(
                        "return redis.call('RPUSH', KEYS[1], ARGV[1])",
                        Long.class,
                        List.of(key),
                        List.of(Long.toString(token)),
                        token(token))));
        List<Long> log = connections.get(0).sync().lrange(key, 0, -1).stream()
                .map(Long::valueOf)
                .toList();
        assertThat(log).hasSize(accepted).isSorted();
        assertThat(log.get(log.size() - 1)).isEqualTo(newest.get());
    }

    @Test
    void I4_theHighestTokenNeverGoesBackAndIsTheOneThatWrote() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Future<List<Long>> watcher = threads.submit(() -> {
            List<Long> seen = new ArrayList<>();
            do {
                var both = connections.get(LEADERS).sync().mget(key, record);
                String value = both.get(0).getValueOrElse("0");
                assertThat(both.get(1).getValueOrElse("0")).isEqualTo(value);
                seen.add(Long.valueOf(value));
            } while (!done.get());
            return seen;
        });
        race(new AtomicLong(1), (fence, token) -> await(fence.set(key, Long.toString(token), token(token))));
        done.set(true);
        List<Long> seen = watcher.get(60, TimeUnit.SECONDS);
        assertThat(seen).isSorted();
        assertThat(Collections.max(seen)).isGreaterThan(1);
    }

    @Test
    void writesBegunAtOnceByOneLeaderAllPass() throws Throwable {
        RedisFence fence = RedisFence.on(connections.get(0));
        List<CompletionStage<Long>> begun = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            begun.add(fence.eval("return redis.call('INCR', KEYS[1])", Long.class, List.of(key), List.of(), token(3)));
        }
        for (CompletionStage<Long> each : begun) {
            await(each);
        }
        assertThat(connections.get(0).sync().get(key)).isEqualTo("500");
    }
}
