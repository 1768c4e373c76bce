package dev.tenure;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Follows who leads a role, without being a candidate. What it knows may be old by a lease.
 */
public interface LeaderWatch extends AutoCloseable {

    String role();

    /**
     * Who leads; empty if nobody does, if the record has run out, or if the store was never reached.
     */
    Optional<Leader> leader();

    /**
     * Who leads, for a caller that can do nothing without.
     *
     * @throws NoLeaderException if nobody is known to lead
     */
    Leader requireLeader();

    /**
     * Tells the present leader, then every other one; empty while there is none. On callback threads.
     */
    Registration onChange(Consumer<? super Optional<Leader>> listener);

    /**
     * Ends the watch. Idempotent, never throws.
     */
    @Override
    void close();
}
