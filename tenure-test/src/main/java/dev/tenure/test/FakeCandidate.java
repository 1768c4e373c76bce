package dev.tenure.test;

import dev.tenure.ElectorHealth;
import dev.tenure.FencingToken;
import dev.tenure.Leader;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a double knows: whether it stands, its present term, who else leads. Calls no user code under its lock.
 */
final class FakeCandidate {
    private final String role;
    private final FakeTerms terms;
    private volatile @Nullable FakeLease lease; // the last one; written under the lock, as all that follows
    private volatile boolean coordinated = true;
    private Map<String, String> metadata = Map.of();
    private @Nullable Leader other;
    private @Nullable ElectorHealth health;
    private boolean started;
    private boolean stopped;
    private long stops;
    private long highest;

    FakeCandidate(String role, FakeTerms terms) {
        this.role = role;
        this.terms = terms;
    }

    String role() {
        return role;
    }

    /**
     * The lease of the last term, over or not.
     */
    Optional<FakeLease> present() {
        return Optional.ofNullable(lease);
    }

    Optional<FakeLease> held() {
        FakeLease last = lease;
        return last != null && last.isHeldNow() ? Optional.of(last) : Optional.empty();
    }

    long terms() {
        FakeLease last = lease;
        return last == null ? 0 : last.term();
    }

    boolean isCoordinated() {
        return coordinated;
    }

    synchronized boolean isStanding() {
        return started && !stopped;
    }

    synchronized Optional<ElectorHealth> health() {
        return Optional.ofNullable(health);
    }

    Optional<Leader> leader() {
        Optional<FakeLease> own = held();
        return own.isPresent() ? own.map(FakeLease::self) : other();
    }

    private synchronized Optional<Leader> other() {
        return Optional.ofNullable(other);
    }

    synchronized void announce(Map<String, String> given) {
        metadata = Map.copyOf(given);
    }

    synchronized void setCoordinated(boolean given) {
        coordinated = given;
    }

    synchronized void setHealth(ElectorHealth given) {
        health = given;
    }

    synchronized void follow(Leader leader) {
        if (!leader.role().equals(role)) {
            throw new IllegalArgumentException("leader must be of role " + role + ": role=" + leader.role());
        }
        other = leader;
        highest =
                Math.max(highest, leader.fencingToken().map(FencingToken::value).orElse(0L));
    }

    synchronized void followNobody() {
        other = null;
    }

    synchronized void start() {
        started = true;
        stopped = false;
    }

    synchronized void stop() {
        stopped = true;
        stops++;
        other = null;
        notifyAll();
    }

    /**
     * The present lease, or that of a term which is then told of.
     *
     * @param token zero for the next one
     * @param limit sets how often the lease may be looked at
     */
    FakeLease elect(long token, Consumer<FakeLooks> limit) {
        Elected elected = null;
        while (elected == null) {
            present().filter(last -> !last.isHeldNow()).ifPresent(this::finish);
            elected = choose(token, limit);
        }
        if (elected.isNew()) {
            terms.begin(elected.lease());
        }
        return elected.lease();
    }

    /**
     * Whoever is to be told of the end of the term before is told first.
     */
    private void finish(FakeLease over) {
        if (!over.ending().isBegun()) {
            terms.end(over, LossReason.DEADLINE_EXCEEDED);
        }
        if (!over.runs().isRunning()) {
            FakeGrants.release(over);
        }
    }

    private record Elected(FakeLease lease, boolean isNew) {}

    /**
     * Null if the term before has come to its end just now.
     */
    private synchronized @Nullable Elected choose(long token, Consumer<FakeLooks> limit) {
        if (stopped) {
            throw new IllegalStateException("this is stopped, so it cannot be elected: role=" + role);
        }
        FakeLease last = lease;
        if (last != null && last.isHeldNow()) {
            if (token != 0) {
                throw new IllegalStateException("this leads already: " + last);
            }
            limit.accept(last.looks());
            return new Elected(last, false);
        }
        if (last != null && !last.ending().isBegun()) {
            return null;
        }
        if (last != null && last.runs().isRunning()) {
            throw new IllegalStateException("work of the term before has not returned: " + last);
        }
        if (token != 0 && token <= highest) {
            throw new IllegalArgumentException("token must be above " + highest + ": token=" + token);
        }
        return new Elected(next(token, limit), true);
    }

    private FakeLease next(long token, Consumer<FakeLooks> limit) {
        started = true;
        other = null;
        health = null;
        Optional<FencingToken> own = Optional.empty();
        if (coordinated) {
            highest = token == 0 ? highest + 1 : token;
            own = Optional.of(new FencingToken(role, highest));
        }
        FakeLease made = terms.make(new Leader(role, "this", metadata, own), terms() + 1);
        limit.accept(made.looks());
        lease = made;
        notifyAll();
        return made;
    }

    synchronized Lease await() throws InterruptedException {
        long before = stops;
        while (!stopped && stops == before) {
            FakeLease last = lease;
            if (last != null && last.isHeldNow()) {
                return last;
            }
            wait();
        }
        throw new CancellationException("the elector is stopped: role=" + role);
    }
}
