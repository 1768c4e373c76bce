package dev.tenure.engine;

import dev.tenure.Registration;
import dev.tenure.spi.LeaseStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What the elections of one process share: loop, store, threads, log.
 */
final class Hub {
    private static final int NONCE_BYTES = 12;

    private final Settings settings;
    private final Time time;
    private final Transition transition;
    private final ElectionLoop loop;
    private final StoreCalls calls;
    private final Users users;
    private final Metadata metadata;
    private final Floors floors = new Floors();
    private final EventLog log;
    private final ClockWatch clocks;
    private final String instance;
    private final String nonce;
    private final RandomGenerator random;
    private final AtomicLong count = new AtomicLong();
    private final List<MonitorFeed> monitors;
    private final Set<Participant> participants = ConcurrentHashMap.newKeySet();

    Hub(Settings settings, Surroundings around, Executor users) {
        this.settings = settings;
        time = around.time();
        transition = around.transition();
        random = around.random();
        loop = new ElectionLoop(time);
        calls = new StoreCalls(settings.store(), loop);
        loop.onFlush(calls::flush);
        this.users = new Users(users, around.spare(), loop::isDrivenHere);
        monitors = settings.monitors().stream()
                .map(monitor -> new MonitorFeed(monitor, this.users))
                .toList();
        metadata = new Metadata(settings.metadata(), settings.suppliers(), loop, this.users);
        log = new EventLog(
                settings.store().traits().name(), time, new Users(around.spare(), around.spare(), loop::isDrivenHere));
        clocks = new ClockWatch(this);
        instance = settings.instance() != null ? settings.instance() : HostName.ofProcess();
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        nonce = HexFormat.of().formatHex(bytes);
    }

    static RandomGenerator secure() {
        return new SecureRandom();
    }

    ElectionLoop loop() {
        return loop;
    }

    Time time() {
        return time;
    }

    Transition transition() {
        return transition;
    }

    StoreCalls calls() {
        return calls;
    }

    LeaseStore store() {
        return settings.store();
    }

    Users users() {
        return users;
    }

    Metadata metadata() {
        return metadata;
    }

    Floors floors() {
        return floors;
    }

    EventLog log() {
        return log;
    }

    ClockWatch clocks() {
        return clocks;
    }

    String instance() {
        return instance;
    }

    List<MonitorFeed> monitors() {
        return monitors;
    }

    /**
     * Whether an incarnation is of this process.
     */
    boolean isOwn(String incarnation) {
        return incarnation.startsWith(nonce);
    }

    long nextOrder() {
        return count.incrementAndGet();
    }

    /**
     * A participant that does not take part yet.
     */
    Participant participant(String role, String key, Timing timing, @Nullable Once once, Role behaviour) {
        long order = nextOrder();
        Candidate candidate = new Candidate(nonce, order, timing, once);
        return new Participant(this, order, role, key, Election.of(candidate, random.nextLong()), behaviour);
    }

    void join(Participant participant) {
        participants.add(participant);
    }

    void leave(Participant participant) {
        participants.remove(participant);
        log.forget(participant);
    }

    Set<Participant> participants() {
        return participants;
    }

    boolean isAnythingStanding() {
        return !participants.isEmpty();
    }

    /**
     * A watch that cannot be had is a hint that is missed.
     */
    Registration watch(String key, Runnable wakeUp) {
        try {
            return settings.store().watch(key, wakeUp);
        } catch (RuntimeException | Error failed) {
            log.watchingFailed(key, failed);
            return () -> {};
        }
    }

    /**
     * On the loop.
     */
    void suspended(long length) {
        log.suspended(Duration.ofNanos(length));
        for (Participant participant : participants) {
            Timing timing = participant.timing();
            long deadline = participant.election().phase().deadline();
            long gone = deadline == Time.NEVER ? length : clocks.suspendedSince(timing.sentAtOf(deadline));
            if (timing.margin() < gone) {
                participant.deliver(new Event.Suspended());
            }
        }
    }

    /**
     * On the loop.
     */
    void wallClockJumped(Duration by) {
        participants.forEach(participant -> participant.wallClockJumped(by));
    }
}
