package dev.tenure.verification.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was measured, beside what is aimed at.
 */
public final class Figures {
    private final List<String> lines = new ArrayList<>();

    void add(String what, double value, String unit, String aim) {
        lines.add(String.format(Locale.ROOT, "%-58s %12.3f %-12s aim: %s", what, value, unit, aim));
    }

    /**
     * To standard output, a line a figure.
     */
    public void print() {
        System.out.println();
        lines.forEach(System.out::println);
    }

    /**
     * The value below which the given part of the samples lies; they get sorted.
     */
    static long percentile(List<Long> samples, double part) {
        List<Long> sorted = new ArrayList<>(samples);
        sorted.sort(null);
        return sorted.get((int) Math.min(sorted.size() - 1L, Math.round(Math.ceil(part * sorted.size())) - 1));
    }
}
