package dev.tenure.micrometer;

import dev.tenure.FencingToken;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.spi.ElectionMonitor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Meters of the elections of one Tenure, for {@code Tenure.builder(…).monitor(…)}. Thread-safe.
 *
 * <p>All meters of a role are registered when a candidate begins to stand for it, or by {@link #register}, with every
 * value of their tags, at zero; those of a channel when it is made, those of a task when it first ran. All are removed
 * when the Tenure closes. A role that nobody stands for any more keeps its meters until then.
 *
 * <p>Tags are bounded: roles, channels and tasks have the names that the program gives them, after 1,000 roles and 200
 * channels or tasks of a role the rest is {@link #OTHER}; no tag has text of an exception.
 *
 * <p>Two of these in one registry need tags that tell them apart. What would be counted twice is refused: the first call
 * for such a role throws, which the Tenure logs, and nothing is measured for it.
 */
public final class TenureMeters implements ElectionMonitor {
    /**
     * Gauge by role: 1 while this instance holds the lease, else 0. The lease is asked at each reading, so a process
     * that was frozen, or whose callbacks hang, shows 0 from its deadline on. An instance that has just been elected
     * shows 1 when its monitors have been told.
     */
    public static final String LEADER = "tenure.leader";
    /**
     * Counter by role, type and reason: terms that began ({@link #TYPE_ELECTED}, reason {@link #NO_REASON}) and ended
     * ({@link #TYPE_LOST}, reason {@link LossReason#label()}).
     */
    public static final String TRANSITIONS = "tenure.transitions";
    /**
     * Timer by role and outcome ({@code granted}, {@code denied}, {@code failed}): requests for the lease.
     */
    public static final String ACQUIRE = "tenure.acquire";
    /**
     * Timer by role and outcome ({@code renewed}, {@code refused}, {@code failed}).
     */
    public static final String RENEW = "tenure.renew";
    /**
     * Timer by role and outcome ({@code released}, {@code not_holder}, {@code left_to_expire}): from the end of a term
     * until its record was given back, the drain included.
     */
    public static final String RELEASE = "tenure.release";
    /**
     * Gauge by role: token of this instance's last term, also after its end; 0 before the first, and for a term without
     * coordination. A double holds tokens up to 2^53 exactly.
     */
    public static final String FENCING_TOKEN = "tenure.fencing.token";
    /**
     * Timer by role and reason: how long terms lasted, from the grant to their end, which is their deadline if that
     * passed. A term that runs is not in it.
     */
    public static final String TERM_DURATION = "tenure.term.duration";
    /**
     * Timer by role: what was left before the deadline when a renewal was confirmed. Its maximum says little; its mean
     * falls, and its lower buckets fill, as renewals get late.
     */
    public static final String LEASE_SLACK = "tenure.lease.slack";
    /**
     * Timer by role: how long the role can have been without a holder when this instance took it over from another. It
     * counts from the first wake-up since that holder's record was last seen, without one from when it was last seen,
     * to the grant: with wake-ups about the true time, without them at most one interval of asking more. The first of
     * all instances, and one that was never denied, measure nothing; nor does it say how long a holder had been dead
     * whose record had not ended.
     */
    public static final String TAKEOVER = "tenure.takeover";
    /**
     * Counter by role, channel and reason ({@code follower}, {@code full}, {@code loss}). Follows the channel's reports,
     * so up to its {@code dropReportInterval} late.
     */
    public static final String CHANNEL_DROPPED = "tenure.channel.dropped";
    /**
     * Counter by role, task and outcome ({@code ran}, {@code failed}, {@code interrupted}; skipped: {@code follower},
     * {@code lease_too_short}, {@code still_running}, {@code missed}): what became of the slots of scheduled tasks.
     */
    public static final String SCHEDULE_RUNS = "tenure.schedule.runs";
    /**
     * Timer by role and task: runs of scheduled tasks, however they ended.
     */
    public static final String SCHEDULE_DURATION = "tenure.schedule.duration";
    /**
     * Counter by role and kind: {@code survived} (user code or the loop threw, or a health check was not healthy for its
     * grace), {@code store_failing} (an outage began), {@code token_regressed}, {@code wall_clock_jumped}.
     */
    public static final String FAULTS = "tenure.faults";

    public static final String TAG_ROLE = "role";
    public static final String TAG_TYPE = "type";
    public static final String TAG_REASON = "reason";
    public static final String TAG_OUTCOME = "outcome";
    public static final String TAG_CHANNEL = "channel";
    public static final String TAG_TASK = "task";
    public static final String TAG_KIND = "kind";

    public static final String TYPE_ELECTED = "elected";
    public static final String TYPE_LOST = "lost";
    /**
     * The reason of a term's beginning.
     */
    public static final String NO_REASON = "none";
    /**
     * In place of a tag's value when there are too many.
     */
    public static final String OTHER = "other";

    private static final int MOST_ROLES = 1_000;

    private final MeterRegistry registry;
    private final Tags tags;
    private final Bounded names = new Bounded(MOST_ROLES);
    private final Map<String, Optional<RoleMeters>> roles = new ConcurrentHashMap<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public TenureMeters(MeterRegistry registry) {
        this(registry, Tags.empty());
    }

    /**
     * @param tags of all meters, the store's name for instance
     */
    public TenureMeters(MeterRegistry registry, Iterable<? extends Tag> tags) {
        this.registry = registry;
        this.tags = Tags.of(tags);
    }

    /**
     * Registers the meters of roles before anything stands for them, so that the first events are seen as an increase.
     *
     * @throws IllegalStateException if the registry has them already
     */
    public TenureMeters register(String... roles) {
        for (String role : roles) {
            of(role, meters -> {});
        }
        return this;
    }

    /**
     * Not under a lock of this, but for the registration of a new role.
     */
    private void of(String role, Consumer<RoleMeters> measure) {
        if (closed) {
            return;
        }
        String name = names.of(role);
        roles.computeIfAbsent(name, this::registered).ifPresent(measure);
        if (closed) { // and may have seen the map without this role
            remove(name);
        }
        if (refused.remove(name)) {
            throw new IllegalStateException("the registry has meters of this role already: role=" + role + " tags="
                    + tags + "; give each Tenure of a registry a tag of its own");
        }
    }

    private Optional<RoleMeters> registered(String role) {
        Tags all = tags.and(TAG_ROLE, role);
        if (!Claims.take(registry, all)) {
            refused.add(role);
            return Optional.empty();
        }
        RoleMeters made = new RoleMeters(registry, all);
        made.register();
        return Optional.of(made);
    }

    @Override
    public void standing(String role) {
        register(role);
    }

    @Override
    public void acquireFinished(String role, Outcome outcome, Duration took) {
        of(role, meters -> meters.acquire(outcome).record(took));
    }

    @Override
    public void elected(Lease lease) {
        of(lease.role(), meters -> {
            meters.gauges().elected(lease);
            meters.elections().increment();
        });
    }

    @Override
    public void tookOver(Lease lease, Duration vacant) {
        of(lease.role(), meters -> meters.takeover().record(vacant));
    }

    @Override
    public void renewFinished(Lease lease, Outcome outcome, Duration took, Duration slack) {
        of(lease.role(), meters -> {
            meters.renew(outcome).record(took);
            if (outcome == Outcome.SUCCEEDED) {
                meters.slack().record(slack);
            }
        });
    }

    @Override
    public void lost(Lease lease, LossReason reason, Duration held) {
        of(lease.role(), meters -> {
            meters.gauges().lost(lease);
            meters.losses(reason).increment();
            meters.termDuration(reason).record(held);
        });
    }

    @Override
    public void released(Lease lease, ReleaseOutcome outcome, Duration drained) {
        of(lease.role(), meters -> meters.release(outcome).record(drained));
    }

    @Override
    public void storeFailing(String role, Throwable error) {
        fault(role, FaultKind.STORE_FAILING);
    }

    @Override
    public void tokenRegressed(FencingToken granted, FencingToken highest) {
        fault(granted.role(), FaultKind.TOKEN_REGRESSED);
    }

    @Override
    public void wallClockJumped(String role, Duration by) {
        fault(role, FaultKind.WALL_CLOCK_JUMPED);
    }

    @Override
    public void fault(String role, String where, Throwable error) {
        fault(role, FaultKind.SURVIVED);
    }

    private void fault(String role, FaultKind kind) {
        of(role, meters -> meters.faults(kind).increment());
    }

    @Override
    public void channelOpened(String role, String channel) {
        of(role, meters -> meters.channel(channel));
    }

    @Override
    public void itemsDropped(String role, String channel, String reason, long count) {
        of(role, meters -> meters.dropped(channel, reason).increment((double) count));
    }

    @Override
    public void scheduleAdded(String role, String task) {
        of(role, meters -> meters.task(task));
    }

    @Override
    public void scheduleRun(String role, String task, Instant slot, SlotOutcome outcome, Duration took) {
        of(role, meters -> {
            meters.runs(task, outcome).increment();
            meters.runDuration(task).record(took);
        });
    }

    @Override
    public void scheduleSkipped(String role, String task, Instant slot, SlotOutcome outcome, long count) {
        of(role, meters -> meters.runs(task, outcome).increment((double) count));
    }

    /**
     * Removes all meters; what is told later is not measured. Called by the Tenure.
     */
    @Override
    public void closed() {
        closed = true;
        roles.keySet().forEach(this::remove);
    }

    /**
     * By whoever takes it out of the map.
     */
    private void remove(String name) {
        Optional<RoleMeters> taken = roles.remove(name);
        if (taken != null && taken.isPresent()) {
            taken.get().remove();
            Claims.giveBack(registry, tags.and(TAG_ROLE, name));
        }
    }

    /**
     * How many ended and running leases are kept, for tests.
     */
    int leases() {
        return roles.values().stream()
                .flatMap(Optional::stream)
                .mapToInt(role -> role.gauges().size())
                .sum();
    }
}
