package dev.tenure.engine;

import dev.tenure.Leader;
import dev.tenure.LeaderWatch;
import dev.tenure.NoLeaderException;
import dev.tenure.Registration;
import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import dev.tenure.spi.LeaseRecord;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads who leads: at once, on a wake-up, when the record ends, and now and then.
 */
final class EngineWatch extends Timed implements LeaderWatch {
    private static final Logger LOG = LoggerFactory.getLogger(EngineWatch.class);

    /**
     * After nobody was found to lead; doubled by each time that nobody is, up to the retry interval. A store wakes on a
     * release, not when the next one has come.
     */
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int MOST_DOUBLINGS = 20;

    private final Registry registry;
    private final Hub hub;
    private final Timing timing;
    private final String role;
    private final String key;
    private final List<Follower> followers = new CopyOnWriteArrayList<>();
    private final Registration wakeUps;
    private volatile Known known = new Known(Optional.empty(), Time.NEVER);
    private volatile boolean closed;
    private long reads; // the loop's, as what follows
    private boolean reading;
    private boolean again;
    private boolean failing;
    private int foundNobody; // in a row

    /**
     * What was read last, and until when that is worth something.
     */
    private record Known(Optional<Leader> leader, long until) {}

    /**
     * A listener and what it was told last.
     */
    private static final class Follower {
        private final String role;
        private final Consumer<? super Optional<Leader>> listener;
        private final Mailbox mailbox;
        private volatile boolean removed;
        private boolean toldOnce;
        private Optional<Leader> told = Optional.empty();

        Follower(String role, Consumer<? super Optional<Leader>> listener, Users users) {
            this.role = role;
            this.listener = listener;
            this.mailbox = new Mailbox(users);
        }

        void tell(Optional<Leader> leader) {
            mailbox.add(new UserTask(
                    null,
                    () -> {
                        if (!removed && !(toldOnce && leader.equals(told))) {
                            toldOnce = true;
                            told = leader;
                            listener.accept(leader);
                        }
                    },
                    thrown -> LogLine.of(LOG, CoreEvent.WATCH_LISTENER_FAILED)
                            .with("role", role)
                            .cause(thrown)
                            .write()));
        }
    }

    private EngineWatch(EngineElections elections, String role, String key) {
        super(elections.registry().hub().nextOrder());
        this.registry = elections.registry();
        this.hub = registry.hub();
        this.timing = elections.timing();
        this.role = role;
        this.key = key;
        this.wakeUps = hub.watch(key, () -> hub.loop().post(this::read));
    }

    static EngineWatch start(EngineElections elections, String role, String key) {
        EngineWatch watch = new EngineWatch(elections, role, key);
        watch.registry.watches().add(watch);
        watch.hub.loop().post(watch::read);
        if (watch.registry.isClosed()) {
            watch.close();
            watch.registry.ensureOpen();
        }
        return watch;
    }

    @Override
    public String role() {
        return role;
    }

    @Override
    public Optional<Leader> leader() {
        Known present = known;
        return present.until() <= hub.time().now() ? Optional.empty() : present.leader();
    }

    @Override
    public Leader requireLeader() {
        return leader().orElseThrow(() -> new NoLeaderException(role));
    }

    @Override
    public Registration onChange(Consumer<? super Optional<Leader>> listener) {
        Follower follower = new Follower(role, listener, hub.users());
        hub.loop().post(() -> {
            if (follower.removed) {
                return;
            }
            followers.add(follower);
            if (reads > 0 && !reading) {
                follower.tell(leader());
            }
        });
        return () -> {
            follower.removed = true;
            hub.loop().post(() -> followers.remove(follower));
        };
    }

    @Override
    public void close() {
        closed = true;
        wakeUps.remove();
        registry.watches().remove(this);
        hub.loop().post(() -> {
            hub.loop().schedule(this, Time.NEVER);
            hub.log().forget(this);
        });
    }

    // on the loop

    private void read() {
        if (closed) {
            return;
        }
        if (reading) {
            again = true;
            return;
        }
        reading = true;
        again = false;
        long mine = ++reads;
        hub.loop().schedule(this, hub.time().now() + timing.call());
        CompletionStage<Optional<LeaseRecord>> answer;
        try {
            answer = hub.store().read(key);
        } catch (RuntimeException | Error thrown) {
            hub.loop().post(() -> failed(mine, thrown));
            return;
        }
        answer.whenComplete((record, error) -> hub.loop().post(() -> {
            if (error != null) {
                failed(mine, StoreCalls.cause(error));
            } else {
                answered(mine, record);
            }
        }));
    }

    private void answered(long read, Optional<LeaseRecord> record) {
        if (closed || read != reads) {
            return; // an answer that was not waited for
        }
        reading = false;
        hub.calls().hasAnswered();
        if (failing) {
            failing = false;
            hub.log().storeRecovered(this);
        }
        record.ifPresent(present -> hub.floors().saw(key, present.token()));
        long now = hub.time().now();
        long left = record.map(Leaders::remaining).orElse(Time.NEVER);
        foundNobody = record.isPresent() ? 0 : Math.min(MOST_DOUBLINGS, foundNobody + 1);
        known = new Known(record.map(present -> Leaders.of(role, present)), Time.plus(now, left));
        tellAll();
        next(now, left);
    }

    private void next(long now, long left) {
        if (again) {
            read();
            return;
        }
        if (foundNobody > 0) {
            hub.loop().schedule(this, Time.plus(now, Math.min(timing.retry(), SOON << (foundNobody - 1))));
            return;
        }
        // before it runs out, for a leader renews it; at the end of one that does not
        long look = left != Time.NEVER && left > timing.retry() ? left / 2 : left;
        long poll = timing.pushed() ? Timing.LONGEST_DENIAL : timing.retry();
        hub.loop().schedule(this, Time.plus(now, Math.min(poll, timing.afterDenial(look))));
    }

    private void failed(long read, Throwable error) {
        if (closed || read != reads) {
            return;
        }
        reading = false;
        if (!failing) {
            failing = true;
            hub.log().storeFailing(this, role, error);
        }
        tellAll(); // what is known may have run out
        hub.loop().schedule(this, hub.time().now() + timing.retry());
    }

    private void tellAll() {
        Optional<Leader> leader = leader();
        followers.forEach(follower -> follower.tell(leader));
    }

    @Override
    void tick() {
        if (reading) {
            failed(reads, new dev.tenure.StoreUnavailableException("no answer within the call limit", null));
            reads++; // whatever comes for the old one is late
        } else {
            read();
        }
    }
}
