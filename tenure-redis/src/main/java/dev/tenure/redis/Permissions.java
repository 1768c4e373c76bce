package dev.tenure.redis;

/**
 * What a user of the server needs.
 */
final class Permissions {
    /**
     * In the default namespace; with another one its name stands in place of {@code tenure}, on a Cluster in braces.
     */
    static final String MINIMUM = "~tenure:* &tenure:* +evalsha +eval +hmget +hgetall +hset +hget +type +pttl +pexpire"
            + " +time +get +set +del +publish +subscribe +unsubscribe +ping";

    private Permissions() {}
}
