package dev.tenure;

/**
 * A resource refused a write: it has accepted a later term. Whatever the lease says, it is over.
 */
public final class FencedOutException extends TenureException {
    private static final long serialVersionUID = 1;
    private final FencingToken token;
    private final long highest;

    public FencedOutException(FencingToken token, long highest) {
        super("fenced out: " + token + " but the resource has accepted " + highest, null);
        this.token = token;
        this.highest = highest;
    }

    public FencingToken token() {
        return token;
    }

    /**
     * The highest token that the resource has accepted; 0 if it did not tell.
     */
    public long highest() {
        return highest;
    }
}
