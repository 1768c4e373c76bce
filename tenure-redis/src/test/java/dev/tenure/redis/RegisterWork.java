package dev.tenure.redis;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes its token again and again while it leads: into a guarded register and a guarded list, then into a register
 * without a guard. Told to, it stops between looking at its lease and writing, where every program can be frozen, and
 * goes on from there as if nothing had happened.
 */
final class RegisterWork implements LeaderWork {
    static final String GUARDED = "guarded";
    static final String GUARDED_LIST = "guarded-list";
    static final String UNGUARDED = "unguarded";

    private static final String APPEND = "return redis.call('RPUSH', KEYS[1], ARGV[1])";
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final long LONGEST_WRITE_SECONDS = 30;

    private final RedisFence fence;
    private final RedisAsyncCommands<String, String> redis;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition goes = lock.newCondition();
    private boolean holding;

    RegisterWork(StatefulRedisConnection<String, String> connection) {
        fence = RedisFence.on(connection);
        redis = connection.async();
    }

    void hold() {
        holding(true);
    }

    void go() {
        holding(false);
    }

    private void holding(boolean now) {
        lock.lock();
        try {
            holding = now;
            goes.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void lead(Lease lease) throws InterruptedException {
        long token = lease.fencingToken().value();
        lease.onLost(reason -> Member.tell(System.nanoTime(), "lost", token, reason.name()));
        while (true) {
            long before = System.nanoTime();
            if (!lease.isHeld()) {
                return;
            }
            Member.tell(before, "held", token, "");
            passGate(lease);
            write(lease.fencingToken());
            lease.awaitLost(PAUSE);
        }
    }

    private void passGate(Lease lease) {
        lock.lock();
        try {
            if (holding) {
                long token = lease.fencingToken().value();
                Member.tell(System.nanoTime(), "waits", token, "");
                while (holding) {
                    goes.awaitUninterruptibly(); // a program that is frozen here does not see interrupts either
                }
                Member.tell(System.nanoTime(), "goes", token, lease.isHeld() ? "held" : "lost");
            }
        } finally {
            lock.unlock();
        }
    }

    private void write(FencingToken token) {
        String value = Long.toString(token.value());
        guarded(token, "set", fence.set(GUARDED, value, token));
        guarded(token, "append", fence.eval(APPEND, Long.class, List.of(GUARDED_LIST), List.of(value), token));
        String replaced = done(redis.setGet(UNGUARDED, value));
        Member.tell(System.nanoTime(), "replaced", token.value(), replaced == null ? "0" : replaced);
    }

    private static void guarded(FencingToken token, String what, CompletionStage<?> written) {
        try {
            done(written);
            Member.tell(System.nanoTime(), what + "-accepted", token.value(), "");
        } catch (CompletionException failed) {
            if (!(failed.getCause() instanceof FencedOutException stale)
                    || !stale.token().equals(token)) {
                Member.tell(System.nanoTime(), what + "-failed", token.value(), String.valueOf(failed.getCause()));
                throw failed;
            }
            Member.tell(System.nanoTime(), what + "-refused", token.value(), Long.toString(stale.highest()));
        }
    }

    /**
     * Waits through interrupts: a write that is under way is not taken back.
     */
    private static <T> T done(CompletionStage<T> written) {
        return written.toCompletableFuture()
                .orTimeout(LONGEST_WRITE_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
