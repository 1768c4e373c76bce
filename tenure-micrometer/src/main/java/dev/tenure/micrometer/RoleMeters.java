package dev.tenure.micrometer;

import static dev.tenure.micrometer.TenureMeters.TAG_CHANNEL;
import static dev.tenure.micrometer.TenureMeters.TAG_KIND;
import static dev.tenure.micrometer.TenureMeters.TAG_OUTCOME;
import static dev.tenure.micrometer.TenureMeters.TAG_REASON;
import static dev.tenure.micrometer.TenureMeters.TAG_TASK;
import static dev.tenure.micrometer.TenureMeters.TAG_TYPE;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.spi.ElectionMonitor.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The meters of one role. All whose tags are known beforehand are there from the beginning.
 */
final class RoleMeters {
    private static final int MOST_NAMES = 200;
    private static final List<String> DROP_REASONS = List.of("follower", "full", "loss");

    private final MeterRegistry registry;
    private final Tags role;
    private final LeaseGauges gauges = new LeaseGauges();
    private final Set<Meter> meters = ConcurrentHashMap.newKeySet();
    private final Bounded channels = new Bounded(MOST_NAMES);
    private final Bounded tasks = new Bounded(MOST_NAMES);
    private volatile boolean removed;

    RoleMeters(MeterRegistry registry, Tags role) {
        this.registry = registry;
        this.role = role;
    }

    /**
     * To be called once, before anything is measured.
     */
    void register() {
        keep(Gauge.builder(TenureMeters.LEADER, gauges, LeaseGauges::leads)
                .description("1 while this instance holds the lease of the role, judged by its deadline when read")
                .tags(role)
                .register(registry));
        keep(Gauge.builder(TenureMeters.FENCING_TOKEN, gauges, LeaseGauges::token)
                .description("Fencing token of this instance's last term; 0 before the first")
                .tags(role)
                .register(registry));
        elections();
        for (LossReason reason : LossReason.values()) {
            losses(reason);
            termDuration(reason);
        }
        for (Outcome outcome : Outcome.values()) {
            acquire(outcome);
            renew(outcome);
        }
        for (ReleaseOutcome outcome : ReleaseOutcome.values()) {
            release(outcome);
        }
        for (FaultKind kind : FaultKind.values()) {
            faults(kind);
        }
        slack();
        takeover();
    }

    LeaseGauges gauges() {
        return gauges;
    }

    Counter elections() {
        return counter(
                TenureMeters.TRANSITIONS,
                "Terms that began and ended on this instance",
                Tags.of(TAG_TYPE, TenureMeters.TYPE_ELECTED, TAG_REASON, TenureMeters.NO_REASON));
    }

    Counter losses(LossReason reason) {
        return counter(
                TenureMeters.TRANSITIONS,
                "Terms that began and ended on this instance",
                Tags.of(TAG_TYPE, TenureMeters.TYPE_LOST, TAG_REASON, reason.label()));
    }

    Timer termDuration(LossReason reason) {
        return timer(TenureMeters.TERM_DURATION, "Length of terms that ended", Tags.of(TAG_REASON, reason.label()));
    }

    Timer acquire(Outcome outcome) {
        return timer(TenureMeters.ACQUIRE, "Requests for the lease", Tags.of(TAG_OUTCOME, acquired(outcome)));
    }

    static String acquired(Outcome outcome) {
        return switch (outcome) {
            case SUCCEEDED -> "granted";
            case REFUSED -> "denied";
            case FAILED -> "failed";
        };
    }

    Timer renew(Outcome outcome) {
        String value = switch (outcome) {
            case SUCCEEDED -> "renewed";
            case REFUSED -> "refused";
            case FAILED -> "failed";
        };
        return timer(TenureMeters.RENEW, "Renewals of the lease", Tags.of(TAG_OUTCOME, value));
    }

    Timer release(ReleaseOutcome outcome) {
        return timer(
                TenureMeters.RELEASE,
                "From the end of a term until its record was given back",
                Tags.of(TAG_OUTCOME, outcome.name().toLowerCase(Locale.ROOT)));
    }

    Timer slack() {
        return timer(TenureMeters.LEASE_SLACK, "Left before the deadline when a renewal was confirmed", Tags.empty());
    }

    Timer takeover() {
        return timer(
                TenureMeters.TAKEOVER,
                "How long the role can have had no holder before this instance took over",
                Tags.empty());
    }

    Counter faults(FaultKind kind) {
        return counter(TenureMeters.FAULTS, "What went wrong and was survived", Tags.of(TAG_KIND, kind.label()));
    }

    void channel(String name) {
        DROP_REASONS.forEach(reason -> dropped(name, reason));
    }

    Counter dropped(String channel, String reason) {
        return counter(
                TenureMeters.CHANNEL_DROPPED,
                "Items that a channel dropped",
                Tags.of(
                        TAG_CHANNEL,
                        channels.of(channel),
                        TAG_REASON,
                        DROP_REASONS.contains(reason) ? reason : TenureMeters.OTHER));
    }

    /**
     * All meters of a task.
     */
    void task(String name) {
        runs(name, SlotOutcome.RAN);
        runDuration(name);
    }

    Counter runs(String task, SlotOutcome outcome) {
        String name = tasks.of(task);
        for (SlotOutcome each : SlotOutcome.values()) {
            slots(name, each);
        }
        return slots(name, outcome);
    }

    private Counter slots(String task, SlotOutcome outcome) {
        return counter(
                TenureMeters.SCHEDULE_RUNS,
                "Slots of scheduled tasks, those that were skipped included",
                Tags.of(TAG_TASK, task, TAG_OUTCOME, outcome.name().toLowerCase(Locale.ROOT)));
    }

    Timer runDuration(String task) {
        return timer(TenureMeters.SCHEDULE_DURATION, "Runs of scheduled tasks", Tags.of(TAG_TASK, tasks.of(task)));
    }

    private Counter counter(String name, String description, Tags tags) {
        return keep(Counter.builder(name)
                .description(description)
                .tags(role.and(tags))
                .register(registry));
    }

    private Timer timer(String name, String description, Tags tags) {
        return keep(Timer.builder(name)
                .description(description)
                .tags(role.and(tags))
                .register(registry));
    }

    private <M extends Meter> M keep(M meter) {
        meters.add(meter);
        if (removed) {
            registry.remove(meter);
        }
        return meter;
    }

    void remove() {
        removed = true;
        meters.forEach(registry::remove);
        meters.clear();
        gauges.clear();
    }
}
