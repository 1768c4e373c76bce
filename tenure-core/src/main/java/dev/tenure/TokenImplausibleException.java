package dev.tenure;

/**
 * The store or this process remembers a token that cannot be right, since it is far above the store's clock. Nothing is
 * granted until an operator accepts a token: {@code tenure fence accept ROLE TOKEN}.
 */
public final class TokenImplausibleException extends StoreException {
    private static final long serialVersionUID = 1;
    private final long token;

    public TokenImplausibleException(String key, long token, long storeMicros) {
        super(
                "token implausible: key=" + key + " token=" + token + " store time in µs=" + storeMicros
                        + "; repair with: tenure fence accept ROLE TOKEN",
                null);
        this.token = token;
    }

    /**
     * The token that was found.
     */
    public long token() {
        return token;
    }
}
