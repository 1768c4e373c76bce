package dev.tenure.consul;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * Hears of one key.
 */
final class KeyQuery extends BlockingQuery {
    private static final int BURST = 50;
    private static final Duration INTERVAL = Duration.ofMillis(50);

    final Watched watched;
    private final Agent agent;
    private final Predicate<KeyQuery> wanted;

    KeyQuery(Agent agent, Outage outage, Watched watched, Predicate<KeyQuery> wanted) {
        super(agent, outage, "/v1/kv/" + Paths.ofKey(watched.key), new Pace(BURST, INTERVAL, System.nanoTime()));
        this.agent = agent;
        this.watched = watched;
        this.wanted = wanted;
    }

    @Override
    boolean isWanted() {
        return wanted.test(this);
    }

    @Override
    String rule() {
        return "key \"" + watched.key + "\" { policy = \"read\" }";
    }

    @Override
    boolean answered(Agent.Answer answer) {
        return watched.see(Entry.all(agent, answer).stream()
                .filter(entry -> entry.key().equals(watched.key))
                .findFirst());
    }

    @Override
    void interrupted(boolean forbidden) {
        // the next answer is compared with what was seen last
    }
}
