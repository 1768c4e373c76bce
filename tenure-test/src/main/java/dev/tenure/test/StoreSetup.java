package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * What the contract must know of a store, and what its tests share.
 */
abstract class StoreSetup {
    private static final Duration TESTABLE = Duration.ofSeconds(2);
    private static final Duration EXACT = Duration.ofSeconds(10);
    private static final Duration ROOMY = Duration.ofMinutes(10);
    private static final Duration UNPUNCTUAL = Duration.ofSeconds(3);

    private final List<LeaseStore> opened = new CopyOnWriteArrayList<>();
    private @Nullable StoreTraits traits;
    private String key = fresh("key");

    StoreSetup() {}

    /**
     * A store on the same data each time within one test; closed after it. Data may outlive a test: keys do not repeat.
     */
    protected abstract LeaseStore open();

    /**
     * Lets the store's time pass: by default in real time.
     */
    protected void pass(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    /**
     * Whether the store's time passes by {@link #pass} only. Then ends are tested to the instant. Default false.
     */
    protected boolean exactTime() {
        return false;
    }

    /**
     * The lease of tests that wait for its end: by default 2 s, or 10 s where time is exact, within the traits.
     */
    protected Duration lease() {
        return withinTraits(exactTime() ? EXACT : TESTABLE);
    }

    /**
     * How far a time that the store tells may be off, by rounding or by its clock. The time that a test takes does not
     * count. Zero where time is exact, else 50 ms.
     */
    protected Duration slack() {
        return exactTime() ? Duration.ZERO : Duration.ofMillis(50);
    }

    /**
     * How long an answer may take before the test fails; also the time limit of every request. Default 60 s.
     */
    protected Duration patience() {
        return Duration.ofSeconds(60);
    }

    /**
     * Whether the store computes its tokens, so that it can keep them above what the asker has seen. False where they
     * are the store's own index. Default true.
     */
    protected boolean computesTokens() {
        return true;
    }

    /**
     * Whether each token is the one before plus one. Default false.
     */
    protected boolean countsByOne() {
        return false;
    }

    /**
     * A way to write a record of the key as a later version of the store would, with a format version that is unknown
     * today. Empty skips the tests of it.
     */
    protected Optional<Runnable> unknownVersion(String key) {
        return Optional.empty();
    }

    /**
     * A way to make the record of the key one that the store cannot read: another type, broken content. Empty skips the
     * tests of it.
     */
    protected Optional<Runnable> broken(String key) {
        return Optional.empty();
    }

    /**
     * Keeps the record of the key from being changed until closed, by a lock for instance. Empty skips the test of it.
     */
    protected Optional<AutoCloseable> block(String key) {
        return Optional.empty();
    }

    /**
     * How many candidates ask at the same instant in the race for one key. Default 50.
     */
    protected int threads() {
        return 50;
    }

    /**
     * How often they race. Default 100.
     */
    protected int rounds() {
        return 100;
    }

    @AfterEach
    void closeOpenedStores() {
        opened.forEach(LeaseStore::close);
        opened.clear();
        key = fresh("key");
    }

    /**
     * Another client of the same data, as another instance has it.
     */
    final StoreClient client() {
        LeaseStore store = open();
        opened.add(store);
        return new StoreClient(store, roomy(), patience());
    }

    final StoreTraits traits() {
        StoreTraits known = traits;
        if (known == null) {
            try (LeaseStore store = open()) {
                known = store.traits();
            }
            traits = known;
        }
        return known;
    }

    /**
     * A lease that no test outlives.
     */
    final Duration roomy() {
        return withinTraits(lease().multipliedBy(4).compareTo(ROOMY) > 0 ? lease().multipliedBy(4) : ROOMY);
    }

    /**
     * A lease that is longer, if the store allows it.
     */
    final Duration longer(Duration lease) {
        return withinTraits(lease.multipliedBy(2));
    }

    private Duration withinTraits(Duration wanted) {
        Duration shortest = traits().shortestLease();
        Duration longest = traits().longestLease();
        Duration least = wanted.compareTo(shortest) < 0 ? shortest : wanted;
        return least.compareTo(longest) > 0 ? longest : least;
    }

    /**
     * This test's own key.
     */
    final String key() {
        return key;
    }

    static String fresh(String beginning) {
        return beginning + "-" + UUID.randomUUID().toString().substring(0, 13);
    }

    static List<String> freshKeys(int count) {
        List<String> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(fresh("key" + i));
        }
        return keys;
    }

    /**
     * A new incarnation of that name.
     */
    static Holder holder(String name) {
        return new Holder(name, UUID.randomUUID().toString(), Map.of("url", "http://" + name + ":8080/"));
    }

    /**
     * Lets a lease that was granted or renewed just now run out, as late as the store may notice it. A store that ends
     * leases by timers of its own gets more time: a busy machine runs them late.
     */
    final void passEnd(Duration lease) throws InterruptedException {
        Duration lag = traits().expiryLag(lease).plus(traits().lockDelay());
        Duration rounding = Duration.ofMillis(exactTime() ? 1 : 50);
        pass(lease.plus(lag).plus(exactTime() || lag.isZero() ? rounding : UNPUNCTUAL));
    }

    /**
     * Three fifths of it.
     */
    static Duration most(Duration lease) {
        return lease.multipliedBy(3).dividedBy(5);
    }

    /**
     * Skips the rest unless ends are seen to the instant.
     */
    final void assumeExactEnds(Duration lease) {
        boolean exact = exactTime()
                && traits().expiryLag(lease).isZero()
                && traits().lockDelay().isZero();
        assumeTrue(exact, "ends are not exact here: real time, expiry lag or lock delay");
    }

    static long now() {
        return System.nanoTime();
    }

    /**
     * Skips the rest if real time ran away: the machine was too slow to look before the lease could end.
     */
    final void assumeInTime(long sent, Duration lease) {
        boolean inTime = exactTime() || now() - sent < lease.toNanos();
        assumeTrue(inTime, "this machine was too slow to look within the lease");
    }

    /**
     * What the store says is left, of a lease that was asked for no earlier than {@code sent}. It may have been rounded
     * up, to a second at most.
     */
    final void assertLeft(Duration left, Duration lease, long sent) {
        Duration gone = exactTime() ? Duration.ZERO : Duration.ofNanos(now() - sent);
        assertThat(left)
                .isGreaterThanOrEqualTo(lease.minus(gone).minus(slack()))
                .isLessThanOrEqualTo(lease.plus(traits().expiryLag(lease)).plusSeconds(1));
    }

    /**
     * The record has this much left, whose lease was asked for no earlier than {@code sent}.
     */
    final void assertLeft(StoreClient store, Duration lease, long sent) {
        assertLeft(store.present(key()).remaining(), lease, sent);
    }

    /**
     * The hook's way, or a skipped test.
     */
    static <T> T given(Optional<T> hook, String what) {
        assumeTrue(hook.isPresent(), "this store's test has no way to " + what);
        return hook.orElseThrow();
    }
}
