package dev.tenure;

/**
 * Nobody is known to lead.
 */
public final class NoLeaderException extends TenureException {
    private static final long serialVersionUID = 1;

    public NoLeaderException(String role) {
        super("nobody is known to lead " + role, null);
    }
}
