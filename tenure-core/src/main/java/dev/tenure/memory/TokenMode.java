package dev.tenure.memory;

import dev.tenure.TokenImplausibleException;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.Tokens;
import java.time.Instant;

/**
 * How the memory store makes the token of a new grant.
 */
public enum TokenMode {
    /**
     * {@code max(highest + 1, wall time in µs, floor + 1)}, as {@link Tokens} has it.
     */
    FORMULA {
        @Override
        String source() {
            return "µs of this process's wall clock, kept above every earlier token of the key; "
                    + "a new process whose clock was set back repeats them";
        }

        @Override
        boolean isImplausible(long token, long micros) {
            return Tokens.isImplausible(token, micros);
        }

        @Override
        long above(long known, long micros) {
            return Math.max(known + 1, micros);
        }
    },

    /**
     * {@code max(highest, floor) + 1}: steps of one.
     */
    COUNTER {
        @Override
        String source() {
            return "a count of the key's grants in this process; a new process counts from one again";
        }

        @Override
        boolean isImplausible(long token, long micros) {
            return token >= Tokens.LARGEST;
        }

        @Override
        long above(long known, long micros) {
            return known + 1;
        }
    };

    /**
     * One sentence for {@link dev.tenure.spi.StoreTraits#tokenSource()}.
     */
    abstract String source();

    abstract boolean isImplausible(long token, long micros);

    abstract long above(long known, long micros);

    /**
     * A token above all that is known. An asker's floor that cannot be right is passed over once an operator has
     * accepted a token: that asker could never be granted, and so never learn what was accepted.
     *
     * @param highest of the key; 0 if none
     * @param accepted what an operator accepted last; 0 if nothing
     * @throws TokenImplausibleException if the highest known cannot be right
     */
    long next(AcquireRequest request, long highest, long accepted, Instant wall) {
        long micros = Tokens.micros(wall);
        boolean passedOver = accepted > 0 && isImplausible(request.tokenFloor(), micros);
        long known = passedOver ? highest : Math.max(highest, request.tokenFloor());
        if (isImplausible(known, micros)) {
            throw new TokenImplausibleException(request.key(), known, micros);
        }
        return above(known, micros);
    }
}
