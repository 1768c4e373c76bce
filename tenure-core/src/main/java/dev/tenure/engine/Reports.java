package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.log.CoreEvent;
import dev.tenure.schedule.SlotOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells log and monitors what happens in one election. On the loop, but for faults, drops
 * and schedules, which come from anywhere.
 */
final class Reports {
    private static final String UNHEALTHY = Checkup.WHERE + ", not healthy for its grace";

    private final Hub hub;
    private final Participant of;
    private final String role;
    private final MonitorBox monitors;
    private final Vacancy vacancy = new Vacancy();

    Reports(Hub hub, Participant of, List<MonitorFeed> monitors) {
        this.hub = hub;
        this.of = of;
        this.role = of.role();
        this.monitors = MonitorBox.of(monitors, hub.users());
    }

    /**
     * @param log whether the log is told too
     */
    void fault(CoreEvent event, String where, Throwable error, boolean log) {
        if (log) {
            hub.log().fault(event, role, where, error);
        }
        monitors.tell(to -> to.fault(role, where, error));
    }

    /**
     * Nothing was thrown: the log gets no trace.
     */
    private void unhealthy() {
        hub.log().fault(CoreEvent.HEALTH_CHECK_FAILED, role, UNHEALTHY, null);
        IllegalStateException why = new IllegalStateException("not healthy for its grace");
        monitors.tell(to -> to.fault(role, Checkup.WHERE, why));
    }

    void scheduleAdded(String task) {
        monitors.tell(to -> to.scheduleAdded(role, task));
    }

    void scheduleRun(String task, Instant slot, SlotOutcome outcome, Duration took) {
        monitors.tell(to -> to.scheduleRun(role, task, slot, outcome, took));
    }

    void scheduleSkipped(String task, Instant slot, SlotOutcome outcome, long count) {
        monitors.tell(to -> to.scheduleSkipped(role, task, slot, outcome, count));
    }

    void channelOpened(String channel) {
        monitors.tell(to -> to.channelOpened(role, channel));
    }

    void itemsDropped(String channel, String reason, long count) {
        monitors.tell(to -> to.itemsDropped(role, channel, reason, count));
    }

    void wallClockJumped(Duration by) {
        monitors.tell(to -> to.wallClockJumped(role, by));
    }

    /**
     * Before an event is taken.
     */
    void note(Event event) {
        if (event instanceof Event.Woken) {
            vacancy.changed(hub.time().now());
        }
    }

    /**
     * After an effect was carried out.
     *
     * @param handle the last term's
     */
    void tell(Effect effect, @Nullable TermHandle handle) {
        if (effect instanceof Effect.Standing) {
            if (!of.timing().coordinated()) {
                hub.log().uncoordinated(role, of.timing().leadUncoordinated());
            }
            hub.log().stands(of, hub.instance());
            monitors.tell(to -> to.standing(role));
        } else if (effect instanceof Effect.Stopped) {
            vacancy.end(hub.time().now());
            hub.log().standsNoLonger(of);
            monitors.tell(to -> to.stopped(role));
        } else if (effect instanceof Effect.AcquireFinished finished) {
            Duration took = since(finished.call());
            monitors.tell(to -> to.acquireFinished(role, finished.outcome(), took));
        } else if (effect instanceof Effect.Seen seen) {
            if (!hub.isOwn(seen.present().holder().incarnation())) {
                vacancy.held(hub.time().now());
            }
        } else if (effect instanceof Effect.StoreFailing failing) {
            hub.log().storeFailing(of, role, failing.error());
            monitors.tell(to -> to.storeFailing(role, failing.error()));
        } else if (effect instanceof Effect.StoreRecovered recovered) {
            hub.log().storeRecovered(of);
            monitors.tell(to -> to.storeRecovered(role, Duration.ofNanos(recovered.outage())));
        } else if (effect instanceof Effect.TokenRegressed regressed) {
            hub.log().tokenRegressed(role, regressed.granted(), regressed.highest());
            monitors.regressed(role, regressed.granted(), regressed.highest());
        } else if (effect instanceof Effect.Unhealthy) {
            unhealthy();
        } else if (handle != null) {
            tellOfTerm(effect, handle);
        }
    }

    private void tellOfTerm(Effect effect, TermHandle handle) {
        if (effect instanceof Effect.Begin begin) {
            monitors.tell(to -> to.elected(handle));
            vacancy.end(begin.term().beganAt())
                    .ifPresent(vacant -> monitors.tell(to -> to.tookOver(handle, Duration.ofNanos(vacant))));
        } else if (effect instanceof Effect.RenewFinished finished) {
            Duration took = since(finished.call());
            Duration slack = Duration.ofNanos(finished.slack());
            monitors.tell(to -> to.renewFinished(handle, finished.outcome(), took, slack));
        } else if (effect instanceof Effect.Lose lose) {
            LossReason first = handle.lossReason().orElse(lose.reason());
            Duration held = lose.held(hub.time().now());
            monitors.tell(to -> to.lost(handle, first, held));
            Election after = of.election();
            if (lose.reason() == LossReason.WORK_FAILED
                    && after.standing()
                    && after.candidate().once() == null) {
                int failures = after.workFailures();
                Timing timing = of.timing();
                hub.log()
                        .backsOff(
                                role,
                                failures,
                                timing.afterFailure(failures - 1, 0),
                                timing.decidesAfterFailure(failures - 1));
            }
        } else if (effect instanceof Effect.Lapse) {
            monitors.tell(to -> to.lapsed(handle));
        } else if (effect instanceof Effect.Settle settle && settle.term() != null) {
            hub.log().released(handle, settle.outcome());
            monitors.tell(to -> to.released(handle, settle.outcome(), Duration.ofNanos(settle.drained())));
        }
    }

    private Duration since(Call call) {
        return Duration.ofNanos(Math.max(0, hub.time().now() - call.sentAt()));
    }
}
