package dev.tenure;

/**
 * Work that belongs to the leader: called once per term, on a thread of its own.
 *
 * <p>When the term is lost, the thread is interrupted at once. When it ends voluntarily, the lease turns
 * not held, is still renewed, and the work may finish what it has begun: it is interrupted only after
 * {@code interruptAfter}, and the lease is released when it returns.
 */
@FunctionalInterface
public interface LeaderWork {

    /**
     * Works until done or interrupted. Returning ends the term and lets another instance lead; to lead
     * on, stay here. What is thrown while the lease is held ends the term as
     * {@link LossReason#WORK_FAILED} and delays the next one, more with every failure; a
     * {@link FencedOutException} ends it as {@link LossReason#TAKEN_OVER}. What is thrown later is logged.
     */
    void lead(Lease lease) throws Exception;
}
