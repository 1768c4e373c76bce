package dev.tenure.cli;

import dev.tenure.cli.DemoHistory.Fault;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of a demonstration.
 *
 * @param broken what went wrong; empty if nothing did
 */
record DemoReport(List<String> lines, List<String> broken) {

    static DemoReport of(DemoHistory history, Registers registers, List<String> stuck) throws SQLException {
        Registers.Accepted fenced = registers.accepted(Registers.FENCED);
        Registers.Accepted unfenced = registers.accepted(Registers.UNFENCED);
        long late = history.lateWrites();
        long tried = Math.max(late, fenced.stale());
        List<String> broken = new ArrayList<>(stuck);
        broken.addAll(history.violations());
        if (fenced.stale() > 0) {
            broken.add(fenced.stale() + " stale writes got past the fence");
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
                + " stale_accepted=" + fenced.stale()
                + " unfenced_corrupted=" + unfenced.stale()
                + " longest_takeover_ms=" + history.longestTakeOver());
        return new DemoReport(lines, broken);
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
    private static List<String> registers(Registers.Accepted fenced, Registers.Accepted unfenced, long late) {
        Table table = new Table("REGISTER", "WRITES", "STALE TRIED", "REFUSED", "ACCEPTED");
        add(table, Registers.FENCED, fenced, late);
        add(table, Registers.UNFENCED, unfenced, late);
        return table.lines();
    }

    private static void add(Table table, String name, Registers.Accepted accepted, long late) {
        long tried = Math.max(late, accepted.stale());
        table.add(name, accepted.writes(), tried, tried - accepted.stale(), accepted.stale());
    }

    boolean isGood() {
        return broken.isEmpty();
    }
}
