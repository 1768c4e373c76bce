package dev.tenure.consul;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Hears of all keys below a folder. Each answer holds all of them, so that it is asked less often.
 */
final class PrefixQuery extends BlockingQuery {
    private static final int BURST = 10;
    private static final Duration INTERVAL = Duration.ofMillis(500);

    final String folder;
    private final Agent agent;
    private final Together together;

    /**
     * @param folder with a slash at its end
     */
    PrefixQuery(Agent agent, Outage outage, Together together, String folder) {
        super(
                agent,
                outage,
                "/v1/kv/" + Paths.ofKey(folder) + "?recurse",
                new Pace(BURST, INTERVAL, System.nanoTime()));
        this.agent = agent;
        this.together = together;
        this.folder = folder;
    }

    @Override
    String rule() {
        return "key_prefix \"" + folder + "\" { policy = \"list\" }";
    }

    @Override
    boolean answered(Agent.Answer answer) {
        Map<String, Entry> entries = new HashMap<>();
        Entry.all(agent, answer).forEach(entry -> entries.put(entry.key(), entry));
        return together.heard(this, entries);
    }

    @Override
    void interrupted(boolean forbidden) {
        together.unheard(this, forbidden);
    }
}
