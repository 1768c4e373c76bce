package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.cli.DemoHistory.Fault;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demonstration would say so if something were broken.
 */
class DemoHistoryTest {
    private final DemoHistory history = new DemoHistory(DemoPlan.PATIENCE);

    private void tell(String node, String event, long millis, long token, String reason) {
        history.add(new DemoEvent(node, event, millis * 1_000_000, token, reason));
    }

    @Test
    void termsThatFollowEachOtherAreFine() {
        tell("a", "elected", 0, 10, "");
        tell("a", "lost", 100, 10, "RESIGNED");
        tell("b", "elected", 101, 11, "");
        assertThat(history.violations()).isEmpty();
        assertThat(history.terms()).isEqualTo(2);
    }

    @Test
    void twoLeadersAtOnceAreFound() {
        tell("a", "elected", 0, 10, "");
        tell("b", "elected", 101, 11, "");
        tell("a", "lost", 131, 10, "DEADLINE_EXCEEDED");
        assertThat(history.violations()).containsExactly("two leaders at once: a and b, 30ms");
    }

    @Test
    void aTermThatNeverEndsIsFound() {
        tell("a", "elected", 0, 10, "");
        tell("b", "elected", 101, 11, "");
        assertThat(history.violations()).containsExactly("two leaders at once: a and b, to the end");
    }

    @Test
    void aFrozenLeaderCountsUntilItsFreeze() {
        tell("a", "elected", 0, 10, "");
        history.ends(new DemoEvent("a", "elected", 0, 10, ""), 50_000_000);
        tell("b", "elected", 101, 11, "");
        tell("a", "lost", 500, 10, "DEADLINE_EXCEEDED");
        assertThat(history.violations()).isEmpty();
    }

    @Test
    void tokensThatDoNotRiseAreFound() {
        tell("a", "elected", 0, 10, "");
        tell("a", "lost", 100, 10, "RESIGNED");
        tell("b", "elected", 101, 9, "");
        assertThat(history.violations()).containsExactly("tokens do not rise: 10 then 9");
    }

    @Test
    void aLeaseThatIsHeldAfterAFreezeIsFound() {
        tell("a", "wrote_late", 100, 10, "fenced=refused held=true");
        tell("b", "wrote_late", 100, 11, "fenced=refused held=false");
        assertThat(history.violations()).containsExactly("a held its lease after the freeze");
        assertThat(history.lateWrites()).isEqualTo(2);
    }

    @Test
    void takeOversAreMeasuredFromTheFault() {
        DemoEvent successor = new DemoEvent("b", "elected", 1_900_000_000, 11, "");
        history.tookOver(Fault.KILL, 400_000_000, successor);
        assertThat(history.longestTakeOver()).isEqualTo(1_500);
        assertThat(history.takeOvers(Fault.FREEZE)).isEmpty();
    }

    @Test
    void whoEndsUnaskedEndsTheWaiting() {
        tell("b", "ended", 5, 0, "");
        assertThatThrownBy(() -> history.await("a miracle", event -> event.is("miracle")))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("process b ended while waiting for a miracle");
    }

    @Test
    void theFencedRegisterRefusesWhatTheOtherTakes(@TempDir Path folder) throws SQLException {
        FencingToken older = new FencingToken("role", 10);
        FencingToken newer = new FencingToken("role", 11);
        try (Registers registers = Registers.open("jdbc:sqlite:" + folder.resolve("r.db"), "demo_")) {
            registers.create();
            for (FencingToken token : List.of(older, newer)) {
                registers.writeFenced(token, "a");
                registers.writeUnfenced(token, "a");
            }
            registers.writeUnfenced(older, "a");
            assertThatThrownBy(() -> registers.writeFenced(older, "a")).isInstanceOf(FencedOutException.class);
            registers.writeFenced(newer, "b");
            assertThat(registers.accepted(Registers.FENCED)).isEqualTo(new Registers.Accepted(3, 0));
            assertThat(registers.accepted(Registers.UNFENCED)).isEqualTo(new Registers.Accepted(3, 1));
            registers.drop();
            assertThatThrownBy(() -> registers.accepted(Registers.FENCED)).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aReportIsBadIfNoStaleWriteWasTried(@TempDir Path folder) throws SQLException {
        try (Registers registers = Registers.open("jdbc:sqlite:" + folder.resolve("r.db"), "demo_")) {
            registers.create();
            tell("a", "elected", 0, 10, "");
            tell("a", "lost", 100, 10, "RESIGNED");
            DemoReport none = DemoReport.of(history, registers, List.of());
            assertThat(none.isGood()).isFalse();
            assertThat(none.lines())
                    .contains("BROKEN: no stale write was tried")
                    .last()
                    .isEqualTo(
                            "demo: terms=1 stale_tried=0 stale_accepted=0 unfenced_corrupted=0 longest_takeover_ms=0");
            tell("a", "wrote_late", 100, 10, "fenced=refused held=false");
            assertThat(DemoReport.of(history, registers, List.of()).isGood()).isTrue();
        }
    }

    @Test
    void aRegisterThatCannotBeReadReplacesNoReport(@TempDir Path folder) throws SQLException {
        try (Registers registers = Registers.open("jdbc:sqlite:" + folder.resolve("r.db"), "demo_")) {
            tell("a", "elected", 0, 10, "");
            DemoReport report = DemoReport.of(history, registers, List.of());
            assertThat(report.isGood()).isFalse();
            assertThat(report.lines())
                    .anyMatch(line -> line.startsWith("BROKEN: the fenced register cannot be read: "))
                    .last()
                    .asString()
                    .startsWith("demo: terms=1 stale_tried=0 stale_accepted=unknown ");
        }
    }
}
