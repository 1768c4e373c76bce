package dev.tenure.verification.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.schedule.AfterHandOver;
import dev.tenure.schedule.LeaderScheduler;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A cron library as a calendar, as the guide to schedules shows it.
 */
class CronScheduleTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final List<Instant> slots = new ArrayList<>();

    private static void setTo(VirtualWorld world, VirtualTenure process, String wall) {
        process.time().stepWall(Duration.between(process.time().wall(), Instant.parse(wall)));
        world.advance(Duration.ofSeconds(3));
    }

    @Test
    void cronExpressionsGiveSlotsInTheirZone() {
        try (VirtualWorld world = VirtualWorld.create()) {
            VirtualTenure process = world.process("a");
            setTo(world, process, "2026-03-27T12:00:00Z");
            LeaderElector elector = process.stand("billing");
            world.settle();
            LeaderScheduler scheduler = LeaderScheduler.on(elector);
            scheduler.schedule("report", ScheduleExamples.cron("30 2 * * *", BERLIN), (lease, slot) -> slots.add(slot));
            setTo(world, process, "2026-03-28T01:29:59Z"); // 02:30 in winter time
            setTo(world, process, "2026-03-30T00:29:59Z"); // in summer time, after a night without 02:30
            assertThat(slots)
                    .startsWith(Instant.parse("2026-03-28T01:30:00Z"))
                    .endsWith(Instant.parse("2026-03-30T00:30:00Z"));
            setTo(world, process, "2026-10-24T12:00:00Z");
            slots.clear();
            setTo(world, process, "2026-10-25T00:29:59Z"); // the first of two
            setTo(world, process, "2026-10-26T01:29:59Z");
            assertThat(slots)
                    .startsWith(Instant.parse("2026-10-25T00:30:00Z"))
                    .endsWith(Instant.parse("2026-10-26T01:30:00Z"));
        }
    }

    @Test
    void theNewestSlotOfACronExpressionIsFoundAtTheBeginOfATerm() {
        try (VirtualWorld world = VirtualWorld.create()) {
            VirtualTenure process = world.process("a"); // on a Thursday, 2026-01-01
            LeaderElector elector = process.tenure().elector("billing");
            LeaderScheduler scheduler = LeaderScheduler.on(elector);
            scheduler.schedule(
                    "weekly",
                    ScheduleExamples.cron("0 6 * * 1", BERLIN),
                    options -> options.afterHandOver(AfterHandOver.AT_LEAST_ONCE),
                    (lease, slot) -> slots.add(slot));
            elector.start();
            world.advance(Duration.ofSeconds(1));
            assertThat(slots).containsExactly(Instant.parse("2025-12-29T05:00:00Z"));
            assertThat(scheduler.tasks().get(0).next()).contains(Instant.parse("2026-01-05T05:00:00Z"));
            assertThat(scheduler.tasks().get(0).count(SlotOutcome.RAN)).isEqualTo(1);
        }
    }
}
