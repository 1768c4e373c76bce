package dev.tenure.verification.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * Many seeds, and what came of them together.
 */
public final class Campaign {
    private final Duration length;
    private final Tally tally = new Tally();
    private final List<Outcome> violated = new ArrayList<>();
    private int seeds;
    private long events;
    private long hash;

    private Campaign(Duration length) {
        this.length = length;
    }

    /**
     * Runs seeds {@code first} and following, several beside each other.
     */
    public static Campaign run(long first, int seeds, Duration length, Fault fault, int threads) {
        Campaign campaign = new Campaign(length);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<CompletableFuture<Void>> runs = new ArrayList<>();
            for (int i = 0; i < seeds; i++) {
                long seed = first + i;
                runs.add(CompletableFuture.runAsync(
                        () -> campaign.add(Simulation.run(seed, length, fault, Trace.hashed())), executor));
            }
            runs.forEach(CompletableFuture::join);
        } finally {
            executor.shutdown();
        }
        campaign.violated.sort(Comparator.comparing(Outcome::seed));
        return campaign;
    }

    private synchronized void add(Outcome outcome) {
        seeds++;
        events += outcome.events();
        hash += outcome.hash() * (2 * outcome.seed() + 1);
        tally.addAll(outcome.tally());
        if (outcome.violation() != null) {
            violated.add(outcome);
        }
    }

    public Tally tally() {
        return tally;
    }

    /**
     * The seeds that broke something, in order.
     */
    public List<Outcome> violated() {
        return violated;
    }

    /**
     * A few lines for people.
     */
    public String summary() {
        double hours = seeds * length.toSeconds() / 3600.0;
        return String.format(
                Locale.ROOT,
                """
                simulation: seeds=%d virtual_hours=%.1f events=%d hash=%016x violations=%d
                simulation: terms=%d elected_told=%d lost_told=%d work_begun=%d work_interrupted=%d units_of_work=%d
                simulation: losses %s
                simulation: voluntary ends %s
                simulation: writes current=%d stale_tried=%d refused_by_fence=%d taken_by_unfenced=%d
                simulation: store grants=%d stale_renewals=%d stale_releases=%d batches_of_several=%d
                simulation: longest vacancy in fair weather %d ms
                simulation: user %s
                simulation: faults %s
                """,
                seeds,
                hours,
                events,
                hash,
                violated.size(),
                tally.of("terms"),
                tally.of("elected told"),
                tally.of("lost told"),
                tally.of("work begun"),
                tally.of("work interrupted"),
                tally.of("units of work"),
                list(tally.all("lost: ")),
                list(tally.all("settled: ")),
                tally.of("writes: current"),
                tally.of("writes: stale"),
                tally.of("writes: stale, refused by the fence"),
                tally.of("writes: stale, taken by the unfenced resource"),
                tally.of("store: granted"),
                tally.of("store: stale renew"),
                tally.of("store: stale release"),
                tally.of("batches of several"),
                tally.of("most vacancy in fair weather, ms"),
                list(tally.all("user: ")),
                list(tally.all("fault: ")));
    }

    private static String list(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(each -> each.getKey().replace(' ', '_') + "=" + each.getValue())
                .collect(Collectors.joining(" "));
    }
}
