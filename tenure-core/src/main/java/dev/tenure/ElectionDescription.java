package dev.tenure;

import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One election as this process sees it. Components may be added.
 *
 * @param key the key in the store, before the store's prefix
 * @param health its state, and since when
 * @param store its name
 * @param coordinated false if leading says nothing about other instances
 * @param term how often this instance was elected
 * @param fencingToken of the term that is held
 * @param remaining time to the local deadline, zero unless leading
 * @param options as set and as in effect
 * @param worstCaseTakeover the longest time without a leader after a crash, by options and store
 * @param lines the same for people, each naming the option that decides it
 */
public record ElectionDescription(
        String role,
        String key,
        ElectorHealth health,
        String store,
        StoreTraits traits,
        boolean coordinated,
        long term,
        Optional<FencingToken> fencingToken,
        Duration remaining,
        ElectionOptions options,
        Duration worstCaseTakeover,
        List<String> lines) {

    public ElectionDescription {
        lines = List.copyOf(lines);
    }

    /**
     * Role and status, then the lines, for people.
     */
    @Override
    public String toString() {
        return role + ": " + health.status() + "\n  " + String.join("\n  ", lines);
    }
}
