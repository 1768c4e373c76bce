package dev.tenure.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The highest token that this process has seen for each key, over all of its elections: the floor of the next grant.
 * Kept for as long as the process lives, a few dozen bytes a key.
 */
final class Floors {
    static final Floor NONE = new Floor(0, 0);

    private final Map<String, Floor> floors = new ConcurrentHashMap<>();

    /**
     * @param mark the operator's mark that was heeded last
     */
    record Floor(long highest, long mark) {}

    Floor of(String key) {
        return floors.getOrDefault(key, NONE);
    }

    /**
     * What an election knows, which has begun from what was known here.
     */
    void learn(String key, long highest, long mark) {
        floors.merge(
                key,
                new Floor(highest, mark),
                (old, learned) -> old.mark() == mark && old.highest() > highest ? old : learned);
    }

    /**
     * What somebody read.
     */
    void saw(String key, long token) {
        floors.merge(
                key, new Floor(token, 0), (old, read) -> old.highest() >= token ? old : new Floor(token, old.mark()));
    }
}
