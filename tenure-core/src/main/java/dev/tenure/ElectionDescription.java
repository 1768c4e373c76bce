package dev.tenure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One election as this process sees it. Components may be added.
 *
 * @param key the key in the store, before the store's prefix
 * @param remaining time to the local deadline, zero unless leading
 * @param worstCaseTakeover the longest time without a leader after a crash, by options and store
 * @param lines the same for people, each naming the option that decides it
 */
public record ElectionDescription(
        String role,
        String key,
        ElectorHealth health,
        boolean coordinated,
        long term,
        Optional<FencingToken> fencingToken,
        Duration remaining,
        ElectionOptions options,
        Duration worstCaseTakeover,
        List<String> lines) {}
