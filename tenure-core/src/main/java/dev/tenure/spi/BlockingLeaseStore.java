package dev.tenure.spi;

import dev.tenure.Registration;
import dev.tenure.engine.SystemTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@link LeaseStore} for blocking drivers: same meaning, one call a thread, interrupted at its time limit. Several
 * threads call at once.
 */
public interface BlockingLeaseStore extends AutoCloseable {

    /**
     * A renewal's answer, or why there is none.
     */
    sealed interface Renewal {
        /**
         * The store answered.
         */
        record Answered(RenewResult result) implements Renewal {}

        /**
         * Unknown: this claim alone failed.
         */
        record Failed(Throwable cause) implements Renewal {}
    }

    StoreTraits traits();

    AcquireResult acquire(AcquireRequest request) throws Exception;

    RenewResult renew(Claim claim) throws Exception;

    /**
     * Renews claims that fall due together, each answer at its claim's index. By default one after another; a store
     * that can batch overrides it. What it throws counts for all.
     */
    default List<Renewal> renewAll(List<Claim> claims) throws Exception {
        List<Renewal> answers = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            try {
                answers.add(new Renewal.Answered(renew(claim)));
            } catch (InterruptedException stop) {
                throw stop;
            } catch (Exception unknown) {
                answers.add(new Renewal.Failed(unknown));
            }
        }
        return answers;
    }

    boolean release(Claim claim) throws Exception;

    boolean revoke(String key) throws Exception;

    boolean forceRelease(String key) throws Exception;

    void acceptToken(String key, long token) throws Exception;

    Optional<LeaseRecord> read(String key) throws Exception;

    List<LeaseRecord> list() throws Exception;

    /**
     * As {@link LeaseStore#examine}; given half a minute.
     */
    default List<Finding> examine() throws Exception {
        String key = Finding.keyOn(traits());
        long began = SystemTime.nanos();
        read(key);
        long again = SystemTime.nanos();
        read(key);
        return Finding.answered(again - began, SystemTime.nanos() - again);
    }

    /**
     * As {@link LeaseStore#watch}; does not block.
     */
    default Registration watch(String key, Runnable wakeUp) {
        return () -> {};
    }

    @Override
    default void close() {}
}
