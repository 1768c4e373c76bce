package dev.tenure.spi;

/**
 * The store's answer to a renewal.
 */
public enum RenewResult {
    RENEWED,
    /**
     * The record is gone, has expired, or belongs to another incarnation or token.
     */
    NOT_HOLDER,
    /**
     * The session under the record is gone.
     */
    SESSION_GONE
}
