package dev.tenure.cli;

import dev.tenure.cli.DemoHistory.Fault;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What came of a demonstration.
 *
 * @param broken what went wrong; empty if nothing did
 */
record DemoReport(List<String> lines, List<String> broken) {

    static DemoReport of(DemoHistory history, Registers registers, List<String> stuck) {
        List<String> broken = new ArrayList<>(stuck);
        Optional<Registers.Accepted> fenced = read(registers, Registers.FENCED, broken);
        Optional<Registers.Accepted> unfenced = read(registers, Registers.UNFENCED, broken);
        long staleAccepted = fenced.map(Registers.Accepted::stale).orElse(0L);
        long late = history.lateWrites();
        long tried = Math.max(late, staleAccepted);
        broken.addAll(history.violations());
        if (staleAccepted > 0) {
            broken.add(staleAccepted + " stale writes got past the fence");
        }
        if (tried == 0) {
            broken.add("no stale write was tried");
        }
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(takeOvers(history));
        lines.add("");
        lines.addAll(registers(fenced, unfenced, late));
        lines.add("");
        broken.forEach(one -> lines.add("BROKEN: " + one));
        lines.add("demo: terms=" + history.terms()
                + " stale_tried=" + tried
                + " stale_accepted=" + stale(fenced)
                + " unfenced_corrupted=" + stale(unfenced)
                + " longest_takeover_ms=" + history.longestTakeOver());
        return new DemoReport(lines, broken);
    }

    /**
     * What cannot be read is told, and replaces nothing that is known.
     */
    private static Optional<Registers.Accepted> read(Registers registers, String name, List<String> broken) {
        try {
            return Optional.of(registers.accepted(name));
        } catch (SQLException unknown) {
            broken.add("the " + name + " register cannot be read: " + Text.reason(unknown));
            return Optional.empty();
        }
    }

    private static String stale(Optional<Registers.Accepted> accepted) {
        return accepted.map(known -> Long.toString(known.stale())).orElse("unknown");
    }

    private static List<String> takeOvers(DemoHistory history) {
        Table table = new Table("TAKE-OVER AFTER", "TIMES", "SHORTEST", "LONGEST");
        for (Fault fault : Fault.values()) {
            history.takeOvers(fault)
                    .ifPresent(times ->
                            table.add(fault.title, times.getCount(), times.getMin() + " ms", times.getMax() + " ms"));
        }
        return table.lines();
    }

    /**
     * Every late write is tried on both: what is not accepted was refused.
     */
    private static List<String> registers(
            Optional<Registers.Accepted> fenced, Optional<Registers.Accepted> unfenced, long late) {
        Table table = new Table("REGISTER", "WRITES", "STALE TRIED", "REFUSED", "ACCEPTED");
        add(table, Registers.FENCED, fenced, late);
        add(table, Registers.UNFENCED, unfenced, late);
        return table.lines();
    }

    private static void add(Table table, String name, Optional<Registers.Accepted> read, long late) {
        if (read.isEmpty()) {
            table.add(name, "", late, "", "");
            return;
        }
        Registers.Accepted accepted = read.get();
        long tried = Math.max(late, accepted.stale());
        table.add(name, accepted.writes(), tried, tried - accepted.stale(), accepted.stale());
    }

    boolean isGood() {
        return broken.isEmpty();
    }
}
