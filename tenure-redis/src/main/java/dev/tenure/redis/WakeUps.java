package dev.tenure.redis;

import dev.tenure.Registration;
import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of releases: one subscription for all keys, made when somebody first watches and made again when it is lost.
 * After each subscribing all are woken, since something may have been missed.
 */
final class WakeUps {
    private static final Logger LOG = LoggerFactory.getLogger(WakeUps.class);
    private static final String STORE = "redis";
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final long RENEWAL_PAUSE = Duration.ofSeconds(5).toNanos();
    private static final Duration LATER = Duration.ofSeconds(15);

    /**
     * Told apart by identity: the same wake-up may be given twice.
     */
    private static final class Waiter {
        final Runnable wakeUp;

        Waiter(Runnable wakeUp) {
            this.wakeUp = wakeUp;
        }
    }

    private final Connector connector;
    private final String channel;
    private final Map<String, Set<Waiter>> watching = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable StatefulRedisPubSubConnection<String, String>> subscription =
            new AtomicReference<>();
    private final AtomicBoolean connecting = new AtomicBoolean();
    private final AtomicLong renewedAt = new AtomicLong(System.nanoTime() - RENEWAL_PAUSE);
    private volatile boolean failing;
    private volatile boolean closed;

    WakeUps(Connector connector, String channel) {
        this.connector = connector;
        this.channel = channel;
    }

    Registration watch(String key, Runnable wakeUp) {
        Waiter own = new Waiter(wakeUp);
        watching.compute(key, (k, present) -> {
            Set<Waiter> all = present == null ? ConcurrentHashMap.newKeySet() : present;
            all.add(own);
            return all;
        });
        ensure();
        return () -> watching.computeIfPresent(key, (k, present) -> {
            present.remove(own);
            return present.isEmpty() ? null : present;
        });
    }

    /**
     * Subscribes if somebody watches and nothing is subscribed.
     */
    void ensure() {
        if (isFine() || !connecting.compareAndSet(false, true)) {
            return;
        }
        if (isFine()) { // since another call was quicker
            connecting.set(false);
            return;
        }
        drop(subscription.get());
        try {
            connector.connectPubSub().whenComplete((connected, failed) -> {
                if (failed == null) {
                    subscribe(connected);
                }
                connecting.set(false);
                if (failed != null) {
                    failed(Trouble.rootOf(failed));
                }
            });
        } catch (RuntimeException failed) {
            connecting.set(false);
            failed(failed);
        }
    }

    private boolean isFine() {
        StatefulRedisPubSubConnection<String, String> present = subscription.get();
        return closed || watching.isEmpty() || (present != null && present.isOpen());
    }

    private void subscribe(StatefulRedisPubSubConnection<String, String> connected) {
        subscription.set(connected);
        if (closed) {
            drop(connected);
            return;
        }
        connected.addListener(new RedisPubSubAdapter<String, String>() {
            @Override
            public void message(String from, String key) {
                wake(key);
            }

            @Override
            public void subscribed(String to, long count) {
                recovered();
                watching.keySet().forEach(WakeUps.this::wake);
            }
        });
        connected.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                ensureLater(RETRY); // unless the driver is quicker
            }
        });
        connected.async().subscribe(channel).whenComplete((done, failed) -> {
            if (failed != null) {
                drop(connected);
                failed(Trouble.rootOf(failed));
            }
        });
    }

    private void wake(String key) {
        for (Waiter each : watching.getOrDefault(key, Set.of())) {
            try {
                each.wakeUp.run();
            } catch (RuntimeException thrown) {
                LogLine.of(LOG, CoreEvent.WAKEUP_FAILED)
                        .with("key", key)
                        .cause(thrown)
                        .write();
            }
        }
    }

    private void failed(Throwable why) {
        if (closed) {
            return;
        }
        if (!failing) {
            failing = true;
            LogLine.of(LOG, RedisEvent.WAKEUPS_LOST)
                    .with("store", STORE)
                    .with("where", connector.where())
                    .with(
                            "error",
                            Trouble.asStoreException(connector.where(), why).getMessage())
                    .write();
        }
        ensureLater(Trouble.of(why) == Trouble.REJECTED ? LATER : RETRY);
    }

    private void ensureLater(Duration delay) {
        if (!closed) {
            try {
                connector.later(delay, this::ensure);
            } catch (RejectedExecutionException ending) {
                LogLine.of(LOG, RedisEvent.RECONNECT_REFUSED)
                        .with("where", connector.where())
                        .cause(ending)
                        .write();
            }
        }
    }

    private void recovered() {
        if (failing) {
            failing = false;
            LogLine.of(LOG, RedisEvent.WAKEUPS_REGAINED)
                    .with("store", STORE)
                    .with("where", connector.where())
                    .write();
        }
    }

    /**
     * Something is wrong with the server or the way to it: what looks subscribed may not be. Now and then only, since
     * subscribing makes all ask.
     */
    void renew() {
        long now = System.nanoTime();
        long last = renewedAt.get();
        if (now - last > RENEWAL_PAUSE && renewedAt.compareAndSet(last, now)) {
            drop(subscription.get());
        }
        ensure();
    }

    private CompletableFuture<Void> drop(@Nullable StatefulRedisPubSubConnection<String, String> connection) {
        if (connection != null && subscription.compareAndSet(connection, null)) {
            return connection.closeAsync();
        }
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Complete when the connection is closed.
     */
    CompletableFuture<Void> close() {
        closed = true;
        watching.clear();
        return drop(subscription.get());
    }
}
