package dev.tenure.engine;

/**
 * A request to the store. Its answer is judged by when it was sent, however late it comes.
 *
 * @param id counts the calls of a candidate
 * @param incarnation whose
 * @param token of the claim; unknown in an acquisition, and in the release of one that was never answered
 * @param floor the highest token that this process has seen; for an acquisition
 * @param sentAt before the request left this process
 */
public record Call(long id, Kind kind, String incarnation, long token, long floor, long sentAt) {

    /**
     * The same as if it had left earlier: a suspend lies between it and its answer, which the monotonic clock does not
     * count.
     */
    Call sentEarlier(long by) {
        return new Call(id, kind, incarnation, token, floor, sentAt - by);
    }

    public enum Kind {
        ACQUIRE,
        RENEW,
        RELEASE
    }
}
