package dev.tenure.consul;

import java.time.Duration;

/**
 * Hears of one key.
 */
final class KeyQuery extends BlockingQuery {
    private static final int BURST = 50;
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final Agent agent;
    private final Watched watched;

    KeyQuery(Agent agent, Outage outage, Watched watched) {
        super(agent, outage, "/v1/kv/" + Paths.ofKey(watched.key), new Pace(BURST, INTERVAL, System.nanoTime()));
        this.agent = agent;
        this.watched = watched;
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
        watched.forget();
    }
}
