package dev.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.cluster.SlotHash;

/**
 * Slots of a Cluster. The driver's own for text takes the platform's charset, which need not be the connection's.
 */
final class Slots {
    private Slots() {}

    static int of(String key) {
        return SlotHash.getSlot(key.getBytes(UTF_8));
    }
}
