package dev.tenure.test.virtual;

import dev.tenure.StoreUnavailableException;
import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.memory.TokenMode;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The store of a {@link VirtualWorld}: a real one in memory, behind a wire that the test holds. Each call can be held,
 * applied, answered, failed before or after its effect, answered late, answered twice, or delivered when its asker has
 * long gone. What no rule takes is done and answered at once. All calls are recorded.
 */
public final class ScriptedStore {
    private final VirtualWorld world;
    private final VirtualTime time;
    private final MemoryLeaseStore real;
    private final StoreTraits traits;
    private final List<StoreCall> calls = new ArrayList<>();
    private final List<StoreRule> rules = new CopyOnWriteArrayList<>();
    private final List<ScriptedFace> faces = new CopyOnWriteArrayList<>();
    private final Set<String> cut = new HashSet<>();
    private @Nullable Predicate<List<StoreCall>> badBatch;
    private boolean mute;
    private boolean failsToClose;
    private boolean failsToWatch;

    ScriptedStore(VirtualWorld world, @Nullable StoreTraits traits, boolean counting) {
        this.world = world;
        this.time = world.newTime();
        this.real = new MemoryLeaseStore(time::nanos, time::wall, counting ? TokenMode.COUNTER : TokenMode.FORMULA);
        this.traits = traits != null ? traits : ofACluster(real.traits());
        this.mute = !this.traits.pushesWakeUps();
    }

    /**
     * Reached by many machines, as far as anybody can tell.
     */
    private static StoreTraits ofACluster(StoreTraits real) {
        return StoreTraits.builder("scripted", StoreTraits.Scope.CLUSTER)
                .lease(real.shortestLease(), real.longestLease())
                .longestKey(real.longestKey())
                .pushesWakeUps()
                .expiryClock(real.expiryClock())
                .tokenSource(real.tokenSource())
                .build();
    }

    VirtualWorld world() {
        return world;
    }

    LeaseStore connect(String process) {
        ScriptedFace face = new ScriptedFace(this, process);
        faces.add(face);
        return face;
    }

    StoreTraits traits() {
        return traits;
    }

    // scripting

    /**
     * Begins a rule for all calls of a kind.
     */
    public StoreRule.Selection on(StoreCall.Kind kind) {
        return new StoreRule.Selection(this, call -> call.kind() == kind);
    }

    /**
     * Begins a rule for all calls.
     */
    public StoreRule.Selection onAll() {
        return new StoreRule.Selection(this, call -> true);
    }

    StoreRule add(StoreRule rule) {
        rules.add(rule);
        return rule;
    }

    void remove(StoreRule rule) {
        rules.remove(rule);
    }

    /**
     * Every call fails at once, until {@link #heal()}.
     */
    public StoreRule down() {
        return onAll().fail(() -> new StoreUnavailableException("down by script", null));
    }

    /**
     * Nothing from or to this process arrives any more, wake-ups included, until {@link #heal()}.
     */
    public void cut(String process) {
        cut.add(process);
    }

    /**
     * Ends {@link #cut} of this process; what was lost stays lost.
     */
    public void mend(String process) {
        cut.remove(process);
    }

    /**
     * A batch of renewals that the predicate names fails as a whole, whatever is in it; null for none.
     */
    public void failBatches(@Nullable Predicate<List<StoreCall>> bad) {
        badBatch = bad;
    }

    /**
     * Wake-ups get lost, or not any more.
     */
    public void mute(boolean lost) {
        mute = lost;
    }

    /**
     * Wakes everybody who watches the key, although nothing happened.
     */
    public void wake(String key) {
        faces.forEach(face -> face.wake(key));
    }

    /**
     * {@code close} throws, after it has closed.
     */
    public void failClosing() {
        failsToClose = true;
    }

    boolean failsToClose() {
        return failsToClose;
    }

    /**
     * {@code watch} throws.
     */
    public void failWatching() {
        failsToWatch = true;
    }

    boolean failsToWatch() {
        return failsToWatch;
    }

    /**
     * No rule holds any more, and nobody is cut off; what is held stays held.
     */
    public void heal() {
        rules.clear();
        cut.clear();
        badBatch = null;
        mute = !traits.pushesWakeUps();
    }

    // looking

    /**
     * All calls so far, in the order of sending.
     */
    public List<StoreCall> calls() {
        return List.copyOf(calls);
    }

    /**
     * Those of a kind.
     */
    public List<StoreCall> calls(StoreCall.Kind kind) {
        return calls.stream().filter(call -> call.kind() == kind).toList();
    }

    /**
     * Those of a kind from one process.
     */
    public List<StoreCall> calls(StoreCall.Kind kind, String process) {
        return calls.stream()
                .filter(call -> call.kind() == kind && call.process().equals(process))
                .toList();
    }

    /**
     * When those were sent, since the beginning of the world.
     */
    public List<Duration> times(StoreCall.Kind kind, String process) {
        return calls(kind, process).stream().map(StoreCall::sentAt).toList();
    }

    /**
     * What the store has under a key, past the wire.
     */
    public Optional<LeaseRecord> record(String key) {
        return answerOf(real.read(key));
    }

    /**
     * The store itself, past the wire and unrecorded: for operators and for strangers to the election.
     */
    public LeaseStore direct() {
        return real;
    }

    /**
     * The store's clocks: by these leases expire and tokens are made.
     */
    public VirtualTime time() {
        return time;
    }

    /**
     * How many wake-ups a process has registered and not removed.
     */
    public int watches(String process) {
        return faces.stream()
                .filter(face -> face.process().equals(process))
                .mapToInt(ScriptedFace::watches)
                .sum();
    }

    /**
     * How often a process closed its store.
     */
    public int closes(String process) {
        return faces.stream()
                .filter(face -> face.process().equals(process))
                .mapToInt(ScriptedFace::closes)
                .sum();
    }

    static <T> T answerOf(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    // the wire

    boolean isMute(String process) {
        return mute || cut.contains(process);
    }

    boolean isBad(List<StoreCall> batch) {
        Predicate<List<StoreCall>> bad = badBatch;
        return bad != null && bad.test(batch);
    }

    void record(StoreCall call) {
        calls.add(call);
        world.stirred();
        world.checker().sent(call);
    }

    /**
     * May throw what a rule says that the store throws.
     */
    void handle(StoreCall call) {
        if (cut.contains(call.process())) {
            return;
        }
        for (StoreRule rule : rules) {
            if (rule.takes(call)) {
                rule.behave(call);
                return;
            }
        }
        call.answer();
    }

    void applying(StoreCall call, Runnable operation) {
        world.stirred();
        world.checker().applying(call, operation);
    }

    void each(Consumer<ScriptedFace> todo) {
        faces.forEach(todo);
    }
}
