package dev.tenure.verification.documents;

import static com.cronutils.model.CronType.UNIX;
import static com.cronutils.model.definition.CronDefinitionBuilder.instanceDefinitionFor;

import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import dev.tenure.Registration;
import dev.tenure.Tenure;
import dev.tenure.schedule.AfterHandOver;
import dev.tenure.schedule.LeaderScheduler;
import dev.tenure.schedule.Schedule;
import dev.tenure.schedule.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/**
 * The Java of the guide to schedules, so that it compiles.
 */
final class ScheduleExamples {
    interface Invoices {
        void close(FencingToken token);

        void report(String key, FencingToken token);

        void clean();
    }

    static final class Jobs implements AutoCloseable {
        private final Tenure tenure = Tenure.connect("redis://localhost:6379");
        private final LeaderElector billing = tenure.elector("billing");
        private final LeaderScheduler scheduler = LeaderScheduler.on(billing);

        Jobs(Invoices invoices) {
            scheduler.schedule(
                    "close-batches",
                    Schedule.fixedRate(Duration.ofMinutes(1)),
                    lease -> invoices.close(lease.fencingToken()));
            scheduler.schedule(
                    "daily-report",
                    Schedule.calendar(ZoneId.of("Europe/Berlin"), Jobs::nextHalfPastTwo),
                    options -> options.needs(Duration.ofSeconds(5)).afterHandOver(AfterHandOver.AT_LEAST_ONCE),
                    (lease, slot) -> invoices.report("daily-report/" + slot, lease.fencingToken()));
            scheduler.schedule("clean-up", Schedule.fixedDelay(Duration.ofMinutes(10)), lease -> invoices.clean());
            billing.start();
        }

        private static ZonedDateTime nextHalfPastTwo(ZonedDateTime after) {
            LocalDate day = after.toLocalDate();
            ZonedDateTime today = day.atTime(2, 30).atZone(after.getZone());
            return today.isAfter(after) ? today : day.plusDays(1).atTime(2, 30).atZone(after.getZone());
        }

        @Override
        public void close() {
            tenure.close(); // waits for runs, at most for the drain timeout, and renews meanwhile
        }
    }

    static Schedule cron(String expression, ZoneId zone) {
        ExecutionTime times = ExecutionTime.forCron(new CronParser(instanceDefinitionFor(UNIX)).parse(expression));
        return Schedule.calendar(zone, after -> times.nextExecution(after).orElseThrow());
    }

    static void look(LeaderScheduler scheduler) {
        for (TaskStatus task : scheduler.tasks()) {
            System.out.println(task.task() + " " + task.schedule() + " next=" + task.next() + " last=" + task.last()
                    + " " + task.counts());
        }
    }

    static void endOne(LeaderScheduler scheduler, Instant until) {
        Registration registration = scheduler.schedule(
                "until-" + until, Schedule.fixedRate(Duration.ofSeconds(10)), lease -> System.out.println(lease));
        registration.remove(); // no run begins any more; one under way goes on
    }

    private ScheduleExamples() {}
}
