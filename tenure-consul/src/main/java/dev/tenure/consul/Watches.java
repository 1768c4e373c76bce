package dev.tenure.consul;

import dev.tenure.Registration;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
        if (watched == null) {
            watched = new Watched(key, delays);
            watched.add(waiter);
            all.put(key, watched);
            arrange();
        } else if (watched.add(waiter)) { // it may have become free before this one waited
            agent.later(Duration.ZERO, waiter::wake);
        }
        return () -> remove(key, waiter);
    }

    private synchronized void remove(String key, Watched.Waiter waiter) {
        Watched watched = all.get(key);
        if (watched != null && watched.remove(waiter)) {
            all.remove(key);
            arrange();
        }
    }

    private void arrange() {
        boolean few = all.keySet().stream().filter(Paths::isPath).count() <= MOST_QUERIES;
        queries.entrySet().removeIf(entry -> {
            boolean over = !few || !all.containsKey(entry.getKey());
            if (over) {
                entry.getValue().stop();
            }
            return over;
        });
        if (few) {
            all.values().stream()
                    .filter(watched -> Paths.isPath(watched.key) && !queries.containsKey(watched.key))
                    .forEach(this::begin);
        }
        together.arrange(all.values().stream()
                .filter(watched -> !queries.containsKey(watched.key))
                .toList());
    }

    private void begin(Watched watched) {
        KeyQuery query = new KeyQuery(agent, outage, watched);
        queries.put(watched.key, query);
        query.start();
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
