package dev.tenure.schedule;

import dev.tenure.Lease;
import java.time.Instant;

/**
 * A scheduled task that wants to know which slot it runs.
 */
@FunctionalInterface
public interface SlotWork {

    /**
     * Runs one slot.
     *
     * @param lease of the term; its token is to be given to whatever is written to
     * @param slot when this run was due. With the name of the task it is a key by which the other side can tell a slot
     *     that it has done already, whichever instance ran it: all instances compute the same slots, except with
     *     {@link Schedule#fixedDelay}, where it is only the time at which this run was due here
     */
    void run(Lease lease, Instant slot) throws Exception;
}
