package dev.tenure.test;

/**
 * What every store must do. Extend it, say how to {@linkplain #open open} the store, and run it with JUnit.
 *
 * <pre>{@code
 * class MyStoreTest extends LeaseStoreContract {
 *     @Override
 *     protected LeaseStore open() {
 *         return new MyStore(server);
 *     }
 * }
 * }</pre>
 *
 * <p>Only {@code open} is needed. Leases, lags and limits come from the store's traits. The tests wait for the ends of
 * leases in real time, unless {@link #pass} is overridden to move a clock of the store; with {@link #exactTime} they
 * then look at the very instant.
 *
 * <p>Some tests need what only the store's own test can do: {@link #unknownVersion}, {@link #broken}, {@link #block}.
 * They are skipped, and say so, where it is not given. What the traits do not promise is skipped likewise.
 *
 * <p>Keys begin with {@code key-} and are new for each test, so that tests may share a server and leave their records to
 * expire.
 */
public abstract class LeaseStoreContract extends RaceTests {

    /**
     * One test, with its own keys.
     */
    protected LeaseStoreContract() {}
}
