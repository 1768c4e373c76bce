package dev.tenure.engine;

import dev.tenure.InvalidOptionsException;
import dev.tenure.InvalidOptionsException.Violation;
import dev.tenure.LeaderElector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Who stands and who waits in one Tenure.
 */
final class Registry {
    private final Hub hub;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Map<String, String> rolesByKey = new ConcurrentHashMap<>(); // kept as the floors are
    private final Map<String, EngineElector> standing = new ConcurrentHashMap<>();
    private final Map<EngineElector, Queue<CompletableFuture<TermHandle>>> awaiting = new ConcurrentHashMap<>();
    private final Set<Acquisition> acquisitions = ConcurrentHashMap.newKeySet();
    private final Set<EngineWatch> watches = ConcurrentHashMap.newKeySet();

    Registry(Hub hub) {
        this.hub = hub;
    }

    Hub hub() {
        return hub;
    }

    boolean isClosed() {
        return closed.get();
    }

    void ensureOpen() {
        if (isClosed()) {
            throw new IllegalStateException("this Tenure is closed");
        }
    }

    /**
     * True the first time.
     */
    boolean close() {
        return closed.compareAndSet(false, true);
    }

    /**
     * Keeps two roles from sharing a key, which would be one election with two names.
     */
    void take(String key, String role) {
        String taken = rolesByKey.putIfAbsent(key, role);
        if (taken != null && !taken.equals(role)) {
            String bound = "of one role in a Tenure, and has role=" + taken + " already, so not role=" + role;
            throw new InvalidOptionsException(List.of(new Violation("key", key, bound)));
        }
    }

    void stands(EngineElector elector) {
        ensureOpen();
        EngineElector other = standing.putIfAbsent(elector.key(), elector);
        if (other != null && other != elector) {
            throw new IllegalStateException(
                    "another elector of this Tenure stands for key=" + elector.key() + ": role=" + other.role());
        }
        if (isClosed()) {
            standing.remove(elector.key(), elector);
            ensureOpen();
        }
    }

    /**
     * Takes its place again if it was given up meanwhile; false if another has it.
     */
    boolean standsStill(EngineElector elector) {
        EngineElector present = standing.putIfAbsent(elector.key(), elector);
        return present == null || present == elector;
    }

    void standsNoLonger(EngineElector elector) {
        standing.remove(elector.key(), elector);
    }

    void ensureNobodyStands(String key) {
        ensureOpen();
        EngineElector elector = standing.get(key);
        if (elector != null) {
            throw new IllegalStateException("an elector of this Tenure stands for role=" + elector.role()
                    + ", so acquiring it would wait for itself; use that elector");
        }
    }

    Collection<LeaderElector> electors() {
        return List.copyOf(new ArrayList<>(standing.values()));
    }

    List<EngineElector> allElectors() {
        return List.copyOf(standing.values());
    }

    /**
     * Somebody waits for the leadership of an elector, standing or not.
     */
    void await(EngineElector elector, CompletableFuture<TermHandle> next) {
        awaiting.compute(elector, (same, waiting) -> {
            Queue<CompletableFuture<TermHandle>> all = waiting == null ? new ConcurrentLinkedQueue<>() : waiting;
            all.add(next);
            return all;
        });
    }

    @SuppressWarnings("CollectionUndefinedEquality") // the very future that was added is removed
    void awaitNoLonger(EngineElector elector, CompletableFuture<TermHandle> next) {
        awaiting.computeIfPresent(elector, (same, waiting) -> {
            waiting.remove(next);
            return waiting.isEmpty() ? null : waiting;
        });
    }

    /**
     * Those who are to be told now.
     */
    Collection<CompletableFuture<TermHandle>> takeAwaiting(EngineElector elector) {
        Queue<CompletableFuture<TermHandle>> waiting = awaiting.remove(elector);
        return waiting == null ? List.of() : waiting;
    }

    Set<EngineElector> awaited() {
        return awaiting.keySet();
    }

    Set<Acquisition> acquisitions() {
        return acquisitions;
    }

    Set<EngineWatch> watches() {
        return watches;
    }
}
