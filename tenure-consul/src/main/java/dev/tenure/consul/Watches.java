package dev.tenure.consul;

import dev.tenure.Registration;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Hears of changes: of up to six keys by a query of each one's own, of more by all of them together. Keys that are no
 * URL path have no query.
 */
final class Watches {
    private static final int MOST_QUERIES = 6;

    private final Agent agent;
    private final LockDelays delays;
    private final Outage outage;
    private final Together together;
    private final Map<String, Watched> all = new LinkedHashMap<>();
    private final Map<String, KeyQuery> queries = new HashMap<>();
    private boolean closed;

    Watches(Agent agent, LockDelays delays) {
        this.agent = agent;
        this.delays = delays;
        outage = new Outage(agent.where());
        together = new Together(agent, outage);
    }

    synchronized Registration watch(String key, Runnable wakeUp) {
        if (closed) {
            return () -> {};
        }
        Watched.Waiter waiter = new Watched.Waiter(wakeUp);
        Watched watched = all.get(key);
        boolean first = watched == null;
        if (watched == null) {
            KeyQuery idle = queries.get(key);
            watched = idle == null ? new Watched(key, delays) : idle.watched;
            all.put(key, watched);
        }
        boolean free = watched.add(waiter);
        if (first) {
            arrange();
        }
        if (free) { // it may have become so before this one waited
            agent.later(Duration.ZERO, () -> waiter.wake(key));
        }
        return () -> remove(key, waiter);
    }

    private synchronized void remove(String key, Watched.Waiter waiter) {
        Watched watched = all.get(key);
        if (watched != null && watched.remove(waiter)) {
            all.remove(key);
            delays.opened(key);
            arrange();
        }
    }

    /**
     * A query that nobody waits for any more is left to its end, for whoever comes next: Consul would keep a cancelled
     * one, and its connection, all the same.
     */
    private void arrange() {
        List<Watched> paths =
                all.values().stream().filter(each -> Paths.isPath(each.key)).toList();
        boolean few = paths.size() <= MOST_QUERIES;
        if (few) {
            paths.stream().filter(each -> !queries.containsKey(each.key)).forEach(this::begin);
        } else {
            queries.values().forEach(BlockingQuery::stop);
            queries.clear();
        }
        together.arrange(all.values().stream()
                .filter(watched -> !queries.containsKey(watched.key))
                .toList());
    }

    private void begin(Watched watched) {
        if (queries.size() >= MOST_QUERIES) {
            queries.keySet().stream()
                    .filter(key -> !all.containsKey(key))
                    .findFirst()
                    .map(queries::remove)
                    .ifPresent(BlockingQuery::stop);
        }
        KeyQuery query = new KeyQuery(agent, outage, watched, this::isWanted);
        queries.put(watched.key, query);
        query.start();
    }

    private synchronized boolean isWanted(KeyQuery query) {
        String key = query.watched.key;
        if (queries.get(key) != query) {
            return false;
        }
        if (!all.containsKey(key)) {
            queries.remove(key);
            delays.opened(key);
            return false;
        }
        return true;
    }

    synchronized void close() {
        closed = true;
        outage.close();
        queries.values().forEach(BlockingQuery::stop);
        queries.clear();
        together.close();
        all.clear();
    }
}
