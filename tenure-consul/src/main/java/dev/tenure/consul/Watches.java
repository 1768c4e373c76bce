package dev.tenure.consul;

import dev.tenure.Registration;
import dev.tenure.StoreRejectedException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of changes: each of the first six keys by a query that Consul holds until something changes; more of them, and
 * those that are no URL path, by reading them every two seconds.
 */
final class Watches {
    private static final Logger LOG = LoggerFactory.getLogger(Watches.class);
    private static final int MOST_QUERIES = 6;
    private static final Duration WAIT = Duration.ofMinutes(5);

    /**
     * Consul adds up to a sixteenth of the wait.
     */
    private static final Duration LIMIT = WAIT.plus(WAIT.dividedBy(16)).plusSeconds(10);

    private static final Duration POLL = Duration.ofSeconds(2);
    private static final Duration POLL_LIMIT = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofMillis(20);
    private static final Duration UNCHANGED = Duration.ofMillis(700);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration LATER = Duration.ofSeconds(15);

    private final Agent agent;
    private final Map<String, Query> queries = new HashMap<>();
    private final Map<String, Watched> polled = new HashMap<>();
    private boolean polling;
    private volatile boolean failing;
    private volatile boolean closed;

    Watches(Agent agent) {
        this.agent = agent;
    }

    synchronized Registration watch(String key, Runnable wakeUp) {
        Watched.Waiter waiter = new Watched.Waiter(wakeUp);
        if (closed) {
            return () -> {};
        }
        Query query = queries.get(key);
        boolean held =
                query != null || (!polled.containsKey(key) && queries.size() < MOST_QUERIES && Paths.isPath(key));
        if (!held) {
            polled.computeIfAbsent(key, Watched::new).add(waiter);
            if (!polling) {
                polling = true;
                agent.later(Duration.ZERO, this::poll);
            }
        } else if (query != null) {
            query.watched.add(waiter);
        } else {
            Query begun = new Query(new Watched(key));
            begun.watched.add(waiter);
            queries.put(key, begun);
            agent.later(Duration.ZERO, begun::ask);
        }
        return () -> remove(key, waiter);
    }

    private synchronized void remove(String key, Watched.Waiter waiter) {
        Query query = queries.get(key);
        if (query != null && query.watched.remove(waiter)) {
            queries.remove(key);
            query.stop();
        }
        Watched slow = polled.get(key);
        if (slow != null && slow.remove(waiter)) {
            polled.remove(key);
        }
    }

    synchronized void close() {
        closed = true;
        queries.values().forEach(Query::stop);
        queries.clear();
        polled.clear();
    }

    private void poll() {
        List<Watched> all;
        synchronized (this) {
            all = new ArrayList<>(polled.values());
            if (all.isEmpty()) {
                polling = false;
                return;
            }
        }
        List<String> keys = all.stream().map(watched -> watched.key).toList();
        new Operations.Reads(agent, POLL_LIMIT).all(keys).whenComplete((found, failed) -> {
            if (failed == null) {
                recovered();
                all.forEach(watched -> watched.see(Optional.ofNullable(found.get(watched.key))));
            } else {
                failed(Trouble.rootOf(failed));
            }
            agent.later(spread(POLL), this::poll);
        });
    }

    private void failed(Throwable why) {
        if (!closed && !failing) {
            failing = true;
            LOG.warn("changes are not heard of, each may cost seconds: {}", why.getMessage());
        }
    }

    private void recovered() {
        if (failing) {
            failing = false;
            LOG.info("changes are heard of again: {}", agent.where());
        }
    }

    /**
     * Up to a fifth longer.
     */
    private static Duration spread(Duration least) {
        return least.plusNanos(ThreadLocalRandom.current().nextLong(least.toNanos() / 5 + 1));
    }

    /**
     * One key's query, held again and again.
     */
    private final class Query {
        final Watched watched;
        private final String rule;
        private long index;
        private volatile boolean stopped;
        private volatile @Nullable CompletableFuture<?> held;

        Query(Watched watched) {
            this.watched = watched;
            rule = "key \"" + watched.key + "\" { policy = \"read\" }";
        }

        void ask() {
            if (stopped) {
                return;
            }
            String path = "/v1/kv/" + Paths.ofKey(watched.key);
            String query = index == 0 ? "" : "?wait=" + WAIT.toSeconds() + "s&index=" + Long.toUnsignedString(index);
            CompletableFuture<HttpResponse<String>> request = agent.hold(path + query, LIMIT);
            held = request;
            if (stopped) {
                request.cancel(true);
            }
            request.whenComplete((response, failed) -> {
                if (stopped) {
                    return;
                }
                Duration pause;
                try {
                    if (failed != null) {
                        throw Trouble.unanswered(agent.where(), failed);
                    }
                    pause = answered(agent.answerOf(response, rule));
                    recovered();
                } catch (RuntimeException unusable) {
                    index = 0;
                    watched.forget();
                    failed(unusable);
                    pause = unusable instanceof StoreRejectedException ? LATER : RETRY;
                }
                agent.later(spread(pause), this::ask);
            });
        }

        private Duration answered(Agent.Answer answer) {
            boolean backwards = Long.compareUnsigned(answer.index(), index) < 0;
            index = backwards ? 0 : answer.index() == 0 ? 1 : answer.index();
            Optional<Entry> present = answer.status() == 404 ? Optional.empty() : Optional.of(entry(answer.body()));
            if (watched.see(present)) {
                return AGAIN;
            }
            return backwards ? AGAIN : UNCHANGED;
        }

        private Entry entry(String body) {
            try {
                List<?> entries = Json.list(Json.parse(body));
                if (entries.size() == 1) {
                    return Entry.of(entries.get(0));
                }
            } catch (IOException cut) {
                LOG.debug("not JSON", cut);
            }
            throw agent.unavailable("an answer that is no entry: " + Trouble.shortly(body));
        }

        void stop() {
            stopped = true;
            CompletableFuture<?> present = held;
            if (present != null) {
                present.cancel(true);
            }
        }
    }
}
