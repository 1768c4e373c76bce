package dev.tenure;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Work was about to begin on a lease that is not held, or not long enough.
 */
public final class LeadershipLostException extends TenureException {
    private static final long serialVersionUID = 1;
    private final String role;
    private final @Nullable FencingToken token;

    public LeadershipLostException(FencingToken token, String why) {
        super("leadership lost: " + token + ": " + why, null);
        this.role = token.role();
        this.token = token;
    }

    /**
     * For a term without a token, on a store that does not coordinate.
     */
    public LeadershipLostException(String role, String why) {
        super("leadership lost: " + role + ": " + why, null);
        this.role = role;
        this.token = null;
    }

    public String role() {
        return role;
    }

    /**
     * The token of the term that ended; empty if the store does not coordinate.
     */
    public Optional<FencingToken> token() {
        return Optional.ofNullable(token);
    }
}
