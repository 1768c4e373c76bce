package dev.tenure.engine;

import dev.tenure.Leader;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One election in this process: applies the rules to what happens, and carries out what follows. All but the reading
 * methods belong to the loop's thread.
 */
final class Participant extends Timed implements TermOwner {
    private static final long SHORTEST_TICK = TimeUnit.MILLISECONDS.toNanos(1);

    private final Hub hub;
    private final String role;
    private final String key;
    private final Role behaviour;
    private final List<CompletableFuture<ReleaseOutcome>> ends = new ArrayList<>(0);
    private final MonitorBox monitor;
    private volatile Election election;
    private volatile @Nullable TermHandle handle;
    private volatile @Nullable Sighting sighting;
    private Map<String, String> announced = Map.of();
    private @Nullable Registration watch;
    private boolean delivering;
    private boolean broken;
    private final List<Event> pending = new ArrayList<>(0);

    /**
     * What the store said last about another's record.
     */
    private record Sighting(LeaseRecord record, long until) {}

    Participant(Hub hub, long order, String role, String key, Election election, Role behaviour) {
        super(order);
        this.hub = hub;
        this.role = role;
        this.key = key;
        this.election = election;
        this.behaviour = behaviour;
        this.monitor = hub.monitorOf(role);
    }

    // readable from anywhere

    String role() {
        return role;
    }

    String key() {
        return key;
    }

    Timing timing() {
        return election.candidate().timing();
    }

    Election election() {
        return election;
    }

    @Nullable
    TermHandle handle() {
        return handle;
    }

    /**
     * The handle of the term that runs, if it is held.
     */
    Optional<TermHandle> held() {
        TermHandle present = handle;
        return present != null && present.isHeld() ? Optional.of(present) : Optional.empty();
    }

    Optional<Leader> leader() {
        Optional<TermHandle> own = held();
        if (own.isPresent()) {
            return Optional.of(
                    new Leader(role, hub.instance(), announced, own.get().token()));
        }
        Sighting seen = sighting;
        return seen == null || seen.until() <= time().now()
                ? Optional.empty()
                : Optional.of(Leaders.of(role, seen.record()));
    }

    // from any thread, to the loop

    void post(Event event) {
        hub.loop().post(() -> deliver(event));
    }

    /**
     * Ends a term, or the candidacy; the future is completed on the loop.
     */
    CompletableFuture<ReleaseOutcome> end(LossReason reason, long term) {
        CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();
        hub.loop().post(() -> {
            ends.add(outcome);
            deliver(new Event.End(reason, term));
        });
        return outcome;
    }

    @Override
    public Time time() {
        return hub.time();
    }

    @Override
    public Users users() {
        return hub.users();
    }

    @Override
    public void sealed(long term) {
        post(new Event.Sealed(term));
    }

    @Override
    public void userCodeEnded(long term) {
        post(new Event.UserCodeEnded(term));
    }

    void workReturned(TermHandle of) {
        post(new Event.WorkReturned(of.term()));
    }

    /**
     * Leader work or an {@code elected} listener threw.
     */
    void workThrew(TermHandle of, Throwable thrown) {
        if (of.lossReason().isPresent() && isInterruption(thrown)) {
            return; // as asked
        }
        fault("work of the leader", thrown);
        post(new Event.UserCodeFailed(of.term(), thrown));
    }

    private static boolean isInterruption(Throwable thrown) {
        return thrown instanceof InterruptedException || thrown instanceof dev.tenure.LeadershipLostException;
    }

    void fault(String where, Throwable error) {
        hub.log().fault(role, where, error);
        monitor.tell(to -> to.fault(role, where, error));
    }

    // on the loop

    void deliver(Event event) {
        pending.add(event);
        if (delivering) {
            return; // an effect caused it: after the others
        }
        delivering = true;
        try {
            while (!pending.isEmpty()) {
                apply(pending.remove(0));
            }
        } finally {
            delivering = false;
            schedule(event instanceof Event.Tick);
        }
    }

    /**
     * After a tick that changed nothing, or a fault, not at once again.
     */
    private void schedule(boolean ticked) {
        long at = election.wakeAt();
        long now = time().now();
        if (broken) {
            at = Math.max(at, now + timing().retry());
        } else if (ticked && at <= now) {
            at = now + SHORTEST_TICK;
        }
        hub.loop().schedule(this, at);
    }

    private void apply(Event event) {
        Step step;
        try {
            step = hub.transition().apply(election, event, time().now());
            broken = false;
        } catch (RuntimeException | Error thrown) {
            broken = true;
            fault("rules of the election, at " + event, thrown);
            return;
        }
        election = step.next();
        for (Effect effect : step.effects()) {
            try {
                perform(effect);
            } catch (RuntimeException | Error thrown) {
                fault("effect " + effect, thrown);
            }
        }
        if (isQuiet()) {
            behaviour.quiet();
        }
    }

    /**
     * Whether nothing is left to do for it.
     */
    boolean isQuiet() {
        return election.phase() instanceof Idle && election.orphans().isEmpty();
    }

    @Override
    void tick() {
        deliver(new Event.Tick(hub.calls().everAnswered()));
    }

    @Override
    void batch() {
        deliver(new Event.Batch());
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Send send) {
            send(send.call());
        } else if (effect instanceof Effect.Begin begin) {
            begin(begin);
        } else if (effect instanceof Effect.Extend extend) {
            extend(extend);
        } else if (effect instanceof Effect.Lose lose) {
            lose(lose);
        } else if (effect instanceof Effect.Seal) {
            present().seal();
        } else if (effect instanceof Effect.Lapse) {
            TermHandle over = present();
            over.tellLapsed();
            monitor.tell(to -> to.lapsed(over));
        } else if (effect instanceof Effect.StartWork) {
            behaviour.startWork(present());
        } else if (effect instanceof Effect.Interrupt) {
            behaviour.interruptWork();
        } else if (effect instanceof Effect.AskHealth ask) {
            behaviour.askHealth(
                    healthy -> post(new Event.HealthAnswered(ask.term().number(), healthy)));
        } else if (effect instanceof Effect.Settle settle) {
            settle(settle);
        } else if (effect instanceof Effect.GiveUp giveUp) {
            behaviour.gaveUp(giveUp.error());
        } else if (effect instanceof Effect.Standing) {
            hub.join(this);
            behaviour.standing();
            watch = hub.watch(key, () -> post(new Event.Woken()));
            monitor.tell(to -> to.standing(role));
        } else if (effect instanceof Effect.Stopped) {
            stopped();
        } else {
            report(effect);
        }
    }

    private TermHandle present() {
        TermHandle present = handle;
        if (present == null) {
            throw new IllegalStateException("no term has begun");
        }
        return present;
    }

    private void send(Call call) {
        switch (call.kind()) {
            case ACQUIRE ->
                hub.metadata().read(metadata -> {
                    if (election.phase() instanceof Asking asking
                            && asking.call().id() == call.id()) {
                        announced = metadata;
                        hub.calls().acquire(this, call, holder(call));
                    }
                });
            case RENEW -> hub.calls().renew(this, call, holder(call));
            case RELEASE -> hub.calls().release(this, call, holder(call));
        }
    }

    private Holder holder(Call call) {
        return new Holder(hub.instance(), call.incarnation(), announced);
    }

    private void begin(Effect.Begin begin) {
        TermHandle begun = new TermHandle(role, begin.term(), begin.deadline(), this);
        sighting = null;
        handle = begun;
        hub.log().elected(begun, key);
        monitor.tell(to -> to.elected(begun));
        behaviour.elected(begun);
    }

    private void extend(Effect.Extend extend) {
        if (!present().extend(extend.deadline())) {
            deliver(new Event.Sealed(extend.term().number()));
        }
    }

    private void lose(Effect.Lose lose) {
        TermHandle over = present();
        LossReason first = over.lose(lose.reason());
        Duration held = Duration.ofNanos(Math.max(0, time().now() - lose.term().beganAt()));
        hub.log().lost(over, first, held);
        monitor.tell(to -> to.lost(over, first, held));
        over.tellLost();
        behaviour.lost(over, first);
        over.code().done(); // the term itself
    }

    private void settle(Effect.Settle settle) {
        if (settle.term() != null) {
            TermHandle over = present();
            Duration drained = Duration.ofNanos(settle.drained());
            hub.log().released(over, settle.outcome());
            monitor.tell(to -> to.released(over, settle.outcome(), drained));
        }
        List<CompletableFuture<ReleaseOutcome>> waiting = List.copyOf(ends);
        ends.clear();
        waiting.forEach(end -> end.complete(settle.outcome()));
    }

    private void stopped() {
        if (watch != null) {
            watch.remove();
            watch = null;
        }
        sighting = null;
        behaviour.stopped();
        monitor.tell(to -> to.stopped(role));
    }

    private void report(Effect effect) {
        if (effect instanceof Effect.Seen seen) {
            LeaseRecord record = seen.present();
            sighting = new Sighting(record, Time.plus(time().now(), Leaders.remaining(record)));
        } else if (effect instanceof Effect.AcquireFinished finished) {
            Duration took = since(finished.call());
            monitor.tell(to -> to.acquireFinished(role, finished.outcome(), took));
        } else if (effect instanceof Effect.RenewFinished finished) {
            TermHandle of = present();
            Duration took = since(finished.call());
            monitor.tell(to -> to.renewFinished(of, finished.outcome(), took, Duration.ofNanos(finished.slack())));
        } else if (effect instanceof Effect.StoreFailing failing) {
            hub.log().storeFailing(this, failing.error());
            monitor.tell(to -> to.storeFailing(role, failing.error()));
        } else if (effect instanceof Effect.StoreRecovered recovered) {
            hub.log().storeRecovered(this);
            monitor.tell(to -> to.storeRecovered(role, Duration.ofNanos(recovered.outage())));
        } else if (effect instanceof Effect.TokenRegressed regressed) {
            hub.log().tokenRegressed(role, regressed.granted(), regressed.highest());
            monitor.regressed(role, regressed.granted(), regressed.highest());
        } else if (effect instanceof Effect.Unhealthy) {
            fault("health check of the leader", new IllegalStateException("not healthy for its grace"));
        }
    }

    private Duration since(Call call) {
        return Duration.ofNanos(Math.max(0, time().now() - call.sentAt()));
    }

    void wallClockJumped(Duration by) {
        if (election.phase() instanceof Leading || election.phase() instanceof Draining) {
            monitor.tell(to -> to.wallClockJumped(role, by));
            deliver(new Event.WallClockJumped());
        }
    }
}
