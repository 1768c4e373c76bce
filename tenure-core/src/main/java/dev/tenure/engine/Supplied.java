package dev.tenure.engine;

import dev.tenure.log.CoreEvent;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What one metadata supplier gives. It is asked off the loop and not twice at once; all else is the loop's.
 */
final class Supplied {
    /**
     * For one that has given nothing yet: without its first answer a whole term may lack what others need.
     */
    private static final long FIRST_PATIENCE = TimeUnit.SECONDS.toNanos(1);

    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final String WHERE = "metadata supplier";

    private enum Fault {
        LATE,
        THREW,
        TOO_MUCH
    }

    private final Supplier<Map<String, String>> supplier;
    private final Set<Fault> told = EnumSet.noneOf(Fault.class);
    private Map<String, String> last = Map.of();
    private boolean given;
    private boolean asking;
    private boolean late;
    private long askedAt;

    Supplied(Supplier<Map<String, String>> supplier) {
        this.supplier = supplier;
    }

    /**
     * What it gave last; empty if it has given nothing.
     */
    Map<String, String> last() {
        return last;
    }

    /**
     * On a callback thread.
     */
    Map<String, String> ask() {
        return Map.copyOf(Objects.requireNonNull(supplier.get(), "a metadata supplier must not give null"));
    }

    /**
     * Whether it is to be asked now; not if it has not returned yet.
     */
    boolean begins(long now) {
        if (asking) {
            return false;
        }
        asking = true;
        late = false;
        askedAt = now;
        return true;
    }

    /**
     * Until when its answer is waited for; never longer than that, however long it takes.
     */
    long awaitedUntil() {
        return asking ? askedAt + (given ? PATIENCE : FIRST_PATIENCE) : Long.MIN_VALUE;
    }

    /**
     * Somebody waits no longer.
     */
    void leftOut(Participant reader, long now) {
        if (asking) {
            late = true;
            tell(
                    Fault.LATE,
                    reader,
                    new IllegalStateException("a metadata supplier has not answered for " + Spans.text(now - askedAt)
                            + "; what it gave last is announced. It is asked again when it has returned"));
        }
    }

    void gave(Map<String, String> read) {
        returned();
        last = read;
        given = true;
        told.remove(Fault.THREW);
        told.remove(Fault.TOO_MUCH);
    }

    void gaveTooMuch(Participant reader, int size) {
        returned();
        tell(
                Fault.TOO_MUCH,
                reader,
                new IllegalArgumentException("metadata must be at most " + Settings.LONGEST_METADATA
                        + " characters in all; what its supplier gave last is announced: metadata=" + size
                        + " characters"));
    }

    void threw(Participant reader, Throwable thrown) {
        returned();
        tell(Fault.THREW, reader, thrown);
    }

    private void returned() {
        asking = false;
        if (!late) {
            told.remove(Fault.LATE);
        }
    }

    /**
     * Once until it is over: candidates ask every few seconds.
     */
    private void tell(Fault fault, Participant reader, Throwable error) {
        if (told.add(fault)) {
            reader.fault(CoreEvent.METADATA_FAILED, WHERE, error);
        }
    }
}
