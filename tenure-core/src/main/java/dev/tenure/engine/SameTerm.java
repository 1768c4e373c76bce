package dev.tenure.engine;

import dev.tenure.FencingToken;
import dev.tenure.Lease;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether two leases are of one term. One that wraps a lease may be another object each time.
 */
public final class SameTerm {
    private SameTerm() {}

    public static boolean is(Lease one, Lease other) {
        return one.equals(other)
                || (one.term() > 0 && one.term() == other.term() && Objects.equals(token(one), token(other)));
    }

    private static @Nullable FencingToken token(Lease lease) {
        try {
            return lease.fencingToken();
        } catch (IllegalStateException uncoordinated) {
            return null;
        }
    }
}
