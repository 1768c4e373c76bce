package dev.tenure.channel;

/**
 * What a leader's write does when the channel is full. What is dropped is counted as {@code full}.
 */
public enum FullMode {
    /**
     * Waits for room, or for the end of the leadership. Nothing is dropped for want of room.
     */
    WAIT,
    /**
     * Drops the item that is buffered longest.
     */
    DROP_OLDEST,
    /**
     * Drops the item that was buffered last.
     */
    DROP_NEWEST,
    /**
     * Drops the item that is being written.
     */
    DROP_WRITE
}
