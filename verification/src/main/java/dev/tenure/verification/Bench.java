package dev.tenure.verification;

import dev.tenure.verification.bench.ChannelBenchmark;
import dev.tenure.verification.bench.ConsulFigures;
import dev.tenure.verification.bench.Figures;
import dev.tenure.verification.bench.HandOvers;
import dev.tenure.verification.bench.IsHeldBenchmark;
import dev.tenure.verification.bench.ManyElections;
import dev.tenure.verification.bench.ManySchedules;
import dev.tenure.verification.bench.PostgresFigures;
import dev.tenure.verification.bench.RedisFigures;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Measures, and prints what it measured beside what the project aims at. Asserts nothing: figures of one machine in one
 * run, to be compared within that run.
 */
public final class Bench {
    private static final List<String> ALL =
            List.of("held", "channel", "schedules", "many", "memory", "sqlite", "postgres", "redis", "consul");

    private Bench() {}

    /**
     * Runs what is named, or all: {@code held}, {@code channel}, {@code schedules}, {@code many}, {@code memory}, {@code sqlite},
     * {@code postgres}, {@code redis}, {@code consul}.
     */
    public static void main(String[] args) throws Exception {
        Set<String> wanted = new TreeSet<>(List.of(args));
        wanted.removeIf(String::isBlank);
        Set<String> unknown = new TreeSet<>(wanted);
        unknown.removeAll(ALL);
        if (!unknown.isEmpty()) {
            System.err.println("bench must be of " + ALL + ": " + unknown);
            System.exit(2);
        }
        Figures figures = new Figures();
        for (String name : ALL) {
            if (wanted.isEmpty() || wanted.contains(name)) {
                System.out.println("bench: " + name + " …");
                run(name, figures);
            }
        }
        figures.print();
        System.exit(0);
    }

    private static void run(String name, Figures figures) throws Exception {
        switch (name) {
            case "held" -> IsHeldBenchmark.measure(figures);
            case "channel" -> ChannelBenchmark.measure(figures);
            case "schedules" -> ManySchedules.measure(figures);
            case "many" -> ManyElections.measure(figures);
            case "memory" -> HandOvers.memory(figures);
            case "sqlite" -> HandOvers.sqlite(figures);
            case "postgres" -> PostgresFigures.measure(figures);
            case "redis" -> RedisFigures.measure(figures);
            case "consul" -> ConsulFigures.measure(figures);
            default -> throw new IllegalArgumentException(name);
        }
    }
}
