package dev.tenure.verification.simulation;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs seeds by hand, or replays one with its trace.
 */
public final class Main {
    private static final List<String> OPTIONS = List.of("seed", "seeds", "hours", "fault", "trace", "threads");

    private Main() {}

    /**
     * Exits with 1 if something was found.
     *
     * @param args see the usage
     */
    public static void main(String[] args) throws IOException {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            String option = args[i].startsWith("--") ? args[i].substring(2) : "";
            if (!OPTIONS.contains(option) || i + 1 == args.length) {
                System.err.println(
                        "usage: Main [--seed 1] [--seeds 1] [--hours 1] [--fault NONE] [--threads 1] [--trace FILE]");
                System.err.println("       faults: " + Arrays.toString(Fault.values()));
                System.exit(2);
            }
            given.put(option, args[i + 1]);
        }
        long seed = Long.parseLong(given.getOrDefault("seed", "1"));
        int seeds = Integer.parseInt(given.getOrDefault("seeds", "1"));
        int threads = Integer.parseInt(given.getOrDefault("threads", "1"));
        Duration length = Duration.ofSeconds((long) (Double.parseDouble(given.getOrDefault("hours", "1")) * 3600));
        Fault fault = Fault.valueOf(given.getOrDefault("fault", "NONE"));
        String trace = given.get("trace");
        boolean fine = trace == null
                ? many(Campaign.run(seed, seeds, length, fault, threads))
                : replay(seed, length, fault, Path.of(trace));
        System.exit(fine ? 0 : 1);
    }

    private static boolean many(Campaign campaign) {
        campaign.violated().forEach(Main::tell);
        System.out.print(campaign.summary());
        return campaign.violated().isEmpty();
    }

    private static boolean replay(long seed, Duration length, Fault fault, Path file) throws IOException {
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
            Outcome outcome = Simulation.run(seed, length, fault, Trace.to(writer::println));
            tell(outcome);
            return outcome.violation() == null;
        }
    }

    private static void tell(Outcome outcome) {
        System.out.printf("seed=%d hash=%016x events=%d", outcome.seed(), outcome.hash(), outcome.events());
        Violation violation = outcome.violation();
        System.out.println(
                violation == null
                        ? " no violation"
                        : " " + violation.invariant() + " broken at " + violation.at() / 1e9 + " s: "
                                + violation.what());
    }
}
