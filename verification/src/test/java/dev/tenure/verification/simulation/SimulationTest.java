package dev.tenure.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final boolean QUICK = Boolean.getBoolean("tenure.quick");
    private static final int MOST_SEEDS_FOR_A_FAULT = 300;

    /**
     * All that can go wrong, so that nothing stops going wrong unnoticed.
     */
    private static final List<String> FAULTS = List.of(
            "batch failed as a whole",
            "callbacks late",
            "close",
            "crash and restart",
            "elected listener threw",
            "force release",
            "health check false",
            "late by seconds or minutes",
            "loop stalled before a write",
            "machine suspend",
            "one claim of a batch failed",
            "partition",
            "pause",
            "process wall clock step",
            "replies cut",
            "reply lost",
            "request lost",
            "request repeated",
            "requests cut",
            "revoke",
            "revoked in a drain",
            "slow network",
            "spurious wake-up",
            "store clock back",
            "store clock forward",
            "store refuses this client",
            "store restart",
            "wake-up lost",
            "work started late");

    @Test
    void invariantsHoldInAllSeeds() {
        int seeds = QUICK ? 100 : 1000;
        Campaign campaign = Campaign.run(1, seeds, HOUR, Fault.NONE, 2);
        System.out.print(campaign.summary());

        assertThat(campaign.violated()).isEmpty();
        Tally tally = campaign.tally();
        assertThat(tally.all("fault: ")).containsOnlyKeys(FAULTS);
        assertThat(tally.all("lost: "))
                .containsOnlyKeys("DEADLINE_EXCEEDED", "RELEASED", "RESIGNED", "STOPPED", "TAKEN_OVER", "WORK_FAILED");
        assertThat(tally.all("settled: ")).containsOnlyKeys("RELEASED", "NOT_HOLDER", "LEFT_TO_EXPIRE");
        assertThat(tally.of("terms")).isGreaterThan(100L * seeds);
        assertThat(tally.of("units of work")).isGreaterThan(1000L * seeds);
        assertThat(tally.of("writes: stale")).isGreaterThan(5L * seeds);
        assertThat(tally.of("writes: stale, refused by the fence")).isEqualTo(tally.of("writes: stale"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 42, 1234567})
    void seedReplaysToTheSameTrace(long seed) {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        Outcome one = Simulation.run(seed, HOUR, Fault.NONE, Trace.to(first::add));
        Outcome other = Simulation.run(seed, HOUR, Fault.NONE, Trace.to(second::add));
        Outcome unrecorded = Simulation.run(seed, HOUR, Fault.NONE, Trace.hashed());

        assertThat(first).hasSizeGreaterThan(1000).isEqualTo(second);
        assertThat(one.hash()).isEqualTo(other.hash()).isEqualTo(unrecorded.hash());
        System.out.printf("simulation: seed %d replays %d lines, hash %016x%n", seed, first.size(), one.hash());
    }

    @Test
    void anotherSeedGivesAnotherTrace() {
        Duration minute = Duration.ofMinutes(1);
        assertThat(Simulation.run(1, minute, Fault.NONE, Trace.hashed()).hash())
                .isNotEqualTo(
                        Simulation.run(2, minute, Fault.NONE, Trace.hashed()).hash());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void plantedFaultIsFound(Fault fault) {
        for (long seed = 1; seed <= MOST_SEEDS_FOR_A_FAULT; seed++) {
            Violation violation =
                    Simulation.run(seed, HOUR, fault, Trace.hashed()).violation();
            if (violation != null) {
                assertThat(violation.invariant()).isIn(expected(fault));
                System.out.printf(
                        "simulation: %s found at seed %d after %d virtual s by %s%n",
                        fault, seed, violation.at() / 1_000_000_000, violation.invariant());
                return;
            }
        }
        throw new AssertionError(fault + " was not found in " + MOST_SEEDS_FOR_A_FAULT + " seeds");
    }

    private static List<String> expected(Fault fault) {
        return switch (fault) {
            case NONE -> List.of();
            case DEADLINE_FROM_REPLY -> List.of("I3", "I8");
            case NO_TOKEN_COMPARE -> List.of("I4");
            case RELEASE_BY_NAME -> List.of("I5");
            case FLAG_INSTEAD_OF_DEADLINE -> List.of("I8", "I3");
            case LOST_TERM_CONTINUED -> List.of("refused", "I3");
            case LATE_ANSWER_PROLONGS -> List.of("I6", "revived");
            case LATE_ANSWER_REVIVES -> List.of("revived", "I3");
            case ABANDONED_NOT_RELEASED, ACQUIRE_AFTER_RELEASE -> List.of("orphan");
            case DRAIN_NOT_CUT -> List.of("drain");
            case SECOND_WORK -> List.of("second work");
        };
    }
}
