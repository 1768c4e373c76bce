package dev.tenure.jdbc;

/**
 * What an error of the database means to a call.
 */
enum Trouble {
    /**
     * The database chose this statement to give way: try again at once.
     */
    CONFLICT(true),
    /**
     * A lock or its limit was in the way; the connection is sound.
     */
    BUSY(true),
    NO_TABLE(true),
    /**
     * Somebody has to change something: credentials, permissions, the table.
     */
    REJECTED(true),
    /**
     * The connection cannot be trusted any more.
     */
    BROKEN(false);

    /**
     * Whether the connection can be used again.
     */
    final boolean sound;

    Trouble(boolean sound) {
        this.sound = sound;
    }
}
