package dev.tenure.engine;

import dev.tenure.ElectorHealth.Status;
import dev.tenure.Leader;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.ReleaseOutcome;
import dev.tenure.log.CoreEvent;
import dev.tenure.spi.Holder;
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
    private static final int MOST_MISSED = 16;
    private static final long SHORTEST_TICK = TimeUnit.MILLISECONDS.toNanos(1);

    private final Hub hub;
    private final String role;
    private final String key;
    private final Role behaviour;
    private final List<CompletableFuture<ReleaseOutcome>> ends = new ArrayList<>(0);
    private final Reports reports;
    private final Rival rival;
    private final StatusClock status;
    private volatile Election election;
    private volatile @Nullable TermHandle handle;
    private volatile Map<String, String> announced = Map.of();
    private @Nullable Registration watch;
    private boolean delivering;
    private boolean broken;
    private List<Event> missed = new ArrayList<>(0); // thrown at; taken again at the next tick
    private final List<Event> pending = new ArrayList<>(0);

    Participant(Hub hub, long order, String role, String key, Election election, Role behaviour) {
        super(order);
        this.hub = hub;
        this.role = role;
        this.key = key;
        this.election = election;
        this.behaviour = behaviour;
        this.reports = new Reports(hub, this, hub.monitors());
        this.rival = new Rival(role, hub);
        this.status = new StatusClock(election, hub.time().now());
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
        return rival.leader();
    }

    long statusSince(Status of, long now) {
        return status.since(of, now);
    }

    // from any thread, to the loop

    void post(Event event) {
        hub.loop().post(() -> deliver(event));
    }

    void stand() {
        hub.loop().post(() -> {
            Floors.Floor floor = hub.floors().of(key);
            deliver(new Event.Stand(floor.highest(), floor.mark()));
        });
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
        if (hub.loop().isEnded()) {
            outcome.complete(ReleaseOutcome.NOT_HOLDER);
        }
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
        fault(CoreEvent.WORK_FAILED, "work of the leader", thrown);
        post(new Event.UserCodeFailed(of.term(), thrown));
    }

    private static boolean isInterruption(Throwable thrown) {
        return thrown instanceof InterruptedException || thrown instanceof dev.tenure.LeadershipLostException;
    }

    void fault(CoreEvent event, String where, Throwable error) {
        fault(event, where, error, true);
    }

    void fault(CoreEvent event, String where, Throwable error, boolean log) {
        try {
            reports.fault(event, where, error, log);
        } catch (RuntimeException | Error unheard) {
            error.addSuppressed(unheard); // no log either: nothing is left to do
        }
    }

    Reports reports() {
        return reports;
    }

    // on the loop

    void deliver(Event event) {
        reports.note(event);
        pending.add(hub.clocks().counted(event));
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
            if (!(event instanceof Event.Tick || event instanceof Event.Batch) && missed.size() < MOST_MISSED) {
                missed.add(event);
            }
            fault(CoreEvent.ELECTION_FAULTED, "rules of the election, at " + event, thrown);
            return;
        }
        Election before = election;
        election = step.next();
        status.note(election, time().now());
        if (before.highest() != election.highest() || before.acceptedMark() != election.acceptedMark()) {
            hub.floors().learn(key, election.highest(), election.acceptedMark());
        }
        for (Effect effect : step.effects()) {
            try {
                perform(effect);
            } catch (RuntimeException | Error thrown) {
                fault(CoreEvent.ELECTION_FAULTED, "effect " + effect, thrown);
                if (effect instanceof Effect.Begin begin && of(begin.term()).isEmpty()) {
                    deliver(new Event.Sealed(begin.term().number())); // nobody knows of this term: it must not go on
                }
            }
            try {
                reports.tell(effect, handle);
            } catch (RuntimeException | Error thrown) {
                fault(CoreEvent.ELECTION_FAULTED, "telling of " + effect, thrown);
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
        List<Event> again = missed;
        missed = new ArrayList<>(0);
        again.forEach(this::deliver);
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
            of(extend.term())
                    .filter(handle -> !handle.extend(extend.deadline()))
                    .ifPresent(passed -> deliver(new Event.Sealed(passed.term())));
        } else if (effect instanceof Effect.Lose lose) {
            of(lose.term())
                    .ifPresentOrElse(
                            handle -> lose(handle, lose),
                            () -> deliver(new Event.UserCodeEnded(lose.term().number())));
        } else if (effect instanceof Effect.Seal seal) {
            of(seal.term()).ifPresent(TermHandle::seal);
        } else if (effect instanceof Effect.Lapse lapse) {
            of(lapse.term()).ifPresent(TermHandle::tellLapsed);
        } else if (effect instanceof Effect.StartWork start) {
            of(start.term()).ifPresent(behaviour::startWork);
        } else if (effect instanceof Effect.Interrupt) {
            behaviour.interruptWork();
        } else if (effect instanceof Effect.AskHealth ask) {
            behaviour.askHealth(
                    healthy -> post(new Event.HealthAnswered(ask.term().number(), healthy)));
        } else if (effect instanceof Effect.Settle settle) {
            settle(settle.outcome());
        } else if (effect instanceof Effect.GiveUp giveUp) {
            behaviour.gaveUp(giveUp.error());
        } else if (effect instanceof Effect.Standing) {
            hub.join(this);
            hub.clocks().standing();
            behaviour.standing();
            watch = hub.watch(key, () -> post(new Event.Woken()));
        } else if (effect instanceof Effect.Stopped) {
            stopped();
        } else if (effect instanceof Effect.Seen seen) {
            rival.seen(seen.present(), timing().call());
        }
    }

    /**
     * The handle of a term; none if making it failed.
     */
    private Optional<TermHandle> of(Term term) {
        TermHandle present = handle;
        return present != null && present.term() == term.number() ? Optional.of(present) : Optional.empty();
    }

    private void send(Call call) {
        switch (call.kind()) {
            case ACQUIRE ->
                hub.metadata().read(this, metadata -> {
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
        rival.forget();
        handle = begun;
        behaviour.elected(begun);
        hub.log().elected(begun, key);
    }

    private void lose(TermHandle over, Effect.Lose lose) {
        LossReason first = over.lose(lose.reason());
        if (lose.over()) {
            over.seal();
        }
        try {
            over.tellLost();
            behaviour.lost(over, first);
        } finally {
            over.code().done(); // the term itself
        }
        hub.log().lost(over, first, lose.held(time().now()));
    }

    private void settle(ReleaseOutcome outcome) {
        List<CompletableFuture<ReleaseOutcome>> waiting = List.copyOf(ends);
        ends.clear();
        waiting.forEach(end -> end.complete(outcome));
    }

    private void stopped() {
        if (watch != null) {
            watch.remove();
            watch = null;
        }
        rival.forget();
        behaviour.stopped();
    }

    void wallClockJumped(Duration by) {
        if (election.phase() instanceof Leading || election.phase() instanceof Draining) {
            reports.wallClockJumped(by);
            deliver(new Event.WallClockJumped());
        }
        behaviour.wallClockJumped();
    }
}
