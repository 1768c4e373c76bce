package dev.tenure.engine;

import dev.tenure.ElectionDescription;
import dev.tenure.ElectorHealth;
import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.ReleaseOutcome;
import dev.tenure.log.CoreEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A standing candidate.
 */
final class EngineElector implements LeaderElector, Role, ChannelHost, ScheduleHost.Owner {
    private final EngineElections elections;
    private final Registry registry;
    private final Participant participant;
    private final Checkup checkup;
    private final EngineSchedules schedules;
    private final @Nullable LeaderWork work;
    private List<Listener> listeners = List.of(); // the loop's
    private @Nullable WorkRun run; // the loop's

    EngineElector(EngineElections elections, String role, String key, @Nullable LeaderWork work) {
        this.elections = elections;
        this.registry = elections.registry();
        this.work = work;
        this.participant = registry.hub().participant(role, key, elections.timing(), null, this);
        this.schedules = new EngineSchedules(registry, participant);
        this.checkup = new Checkup(elections.options(), participant);
    }

    Participant participant() {
        return participant;
    }

    @Override
    public LeaderElector start() {
        registry.stands(this);
        registry.hub().join(participant);
        participant.stand();
        if (registry.isClosed()) {
            stopNow();
            registry.ensureOpen();
        }
        return this;
    }

    @Override
    public CompletableFuture<ReleaseOutcome> resign() {
        return Handed.out(participant.end(LossReason.RESIGNED, 0), participant.users());
    }

    @Override
    public CompletableFuture<ReleaseOutcome> stop() {
        return Handed.out(stopNow(), participant.users());
    }

    CompletableFuture<ReleaseOutcome> stopNow() {
        CompletableFuture<ReleaseOutcome> outcome = participant.end(LossReason.STOPPED, 0);
        cancelWaiting(); // not only when all has ended: work may be stuck
        return outcome;
    }

    @Override
    public String role() {
        return participant.role();
    }

    @Override
    public String key() {
        return participant.key();
    }

    @Override
    public boolean isLeader() {
        return participant.held().isPresent();
    }

    @Override
    public Optional<Lease> lease() {
        return participant.held().map(handle -> handle);
    }

    @Override
    public Lease awaitLeadership() throws InterruptedException {
        return await(Time.NEVER).orElseThrow(() -> new IllegalStateException("waiting without limit came to an end"));
    }

    @Override
    public Optional<Lease> awaitLeadership(Duration timeout) throws InterruptedException {
        long patience = timeout.compareTo(Duration.ofDays(365)) > 0
                ? Duration.ofDays(365).toNanos()
                : timeout.toNanos();
        return await(participant.time().now() + Math.max(0, patience));
    }

    private Optional<Lease> await(long until) throws InterruptedException {
        while (true) {
            CompletableFuture<TermHandle> next = new CompletableFuture<>();
            registry.await(this, next);
            try {
                Optional<Lease> held = lease();
                if (held.isPresent()) {
                    return held;
                }
                if (registry.isClosed()) {
                    throw new CancellationException("this Tenure is closed");
                }
                long left = until == Time.NEVER
                        ? Long.MAX_VALUE
                        : until - participant.time().now();
                if (left <= 0) {
                    return Optional.empty();
                }
                TermHandle elected = next.get(left, TimeUnit.NANOSECONDS);
                if (elected.isHeld()) {
                    return Optional.of(elected);
                }
            } catch (TimeoutException none) {
                return Optional.empty();
            } catch (ExecutionException stopped) {
                throw new CancellationException("the elector is stopped: role=" + role());
            } finally {
                registry.awaitNoLonger(this, next);
            }
        }
    }

    @Override
    public Registration onChange(Consumer<? super Lease> elected, BiConsumer<? super Lease, ? super LossReason> lost) {
        Listener listener = new Listener(elected, lost, participant.users());
        registry.hub().loop().post(() -> add(listener));
        return () -> {
            listener.remove();
            registry.hub().loop().post(() -> listeners = without(listener));
        };
    }

    private void add(Listener listener) {
        listeners = Stream.concat(listeners.stream(), Stream.of(listener)).toList();
        TermHandle running = participant.handle();
        if (running != null && participant.election().phase() instanceof Leading) {
            listener.elected(running, thrown -> participant.workThrew(running, thrown));
        }
    }

    private List<Listener> without(Listener listener) {
        return listeners.stream().filter(other -> !other.equals(listener)).toList();
    }

    @Override
    public Optional<Leader> leader() {
        return participant.leader();
    }

    @Override
    public long term() {
        return participant.election().terms();
    }

    @Override
    public boolean isCoordinated() {
        return participant.timing().coordinated();
    }

    @Override
    public @Nullable Lease held() {
        TermHandle present = participant.handle();
        return present != null && present.isHeld() ? present : null;
    }

    @Override
    public @Nullable Lease notKnownEnded() {
        TermHandle present = participant.handle();
        return present == null || present.isKnownEnded() ? null : present;
    }

    @Override
    public Time time() {
        return participant.time();
    }

    @Override
    public void call(String what, Runnable task) {
        participant.users().run(what, role(), null, task);
    }

    @Override
    public void channelOpened(String channel) {
        participant.reports().channelOpened(channel);
    }

    @Override
    public void itemsDropped(String channel, String reason, long count) {
        participant.reports().itemsDropped(channel, reason, count);
    }

    @Override
    public ScheduleHost scheduleHost() {
        return schedules;
    }

    @Override
    public ElectorHealth health() {
        return Diagnosis.health(registry.hub(), participant);
    }

    @Override
    public ElectionDescription describe() {
        return Probe.describe(registry.hub(), participant, elections.options());
    }

    // on the loop

    @Override
    public void standing() {
        if (!registry.standsStill(this)) {
            stopNow(); // another took the place while this one came to an end
        }
    }

    @Override
    public void elected(TermHandle handle) {
        for (Listener listener : listeners) {
            listener.elected(handle, thrown -> participant.workThrew(handle, thrown));
        }
        schedules.begun();
        registry.takeAwaiting(this).forEach(next -> next.complete(handle));
    }

    @Override
    public void startWork(TermHandle handle) {
        if (work != null) {
            run = new WorkRun(work, handle, participant);
            run.start(participant.users());
        }
    }

    @Override
    public void interruptWork() {
        if (run != null) {
            run.interrupt();
        }
        schedules.interrupt();
    }

    @Override
    public void wallClockJumped() {
        schedules.wallClockJumped();
    }

    @Override
    public void askHealth(HealthAnswer answer) {
        checkup.ask(answer);
    }

    @Override
    public void lost(TermHandle handle, LossReason reason) {
        for (Listener listener : listeners) {
            listener.lost(
                    handle, reason, thrown -> participant.fault(CoreEvent.LISTENER_FAILED, "lost listener", thrown));
        }
    }

    @Override
    public void stopped() {
        run = null;
        registry.standsNoLonger(this);
        cancelWaiting();
    }

    /**
     * Whoever waits for leadership waits for nothing.
     */
    void cancelWaiting() {
        registry.takeAwaiting(this).forEach(next -> next.completeExceptionally(new CancellationException("stopped")));
    }

    @Override
    public void quiet() {
        registry.hub().leave(participant);
    }
}
