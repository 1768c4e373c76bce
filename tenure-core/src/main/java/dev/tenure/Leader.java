package dev.tenure;

import java.util.Map;
import java.util.Optional;

/**
 * Who leads, as others see it.
 *
 * @param name the instance's display name, not unique
 * @param metadata what the instance announced, an address for instance
 * @param fencingToken the term that this is about; empty if the store does not coordinate
 */
public record Leader(String role, String name, Map<String, String> metadata, Optional<FencingToken> fencingToken) {

    /**
     * The header of a call that is meant for this very leader; its value is {@link FencingToken#toHeader()} of
     * {@link #fencingToken()}. The other side compares it for equality, as {@link Leadership#leaseFor} does.
     */
    public static final String HEADER = "Tenure-Leader";

    public Leader {
        metadata = Map.copyOf(metadata);
    }

    public Optional<String> metadata(String key) {
        return Optional.ofNullable(metadata.get(key));
    }
}
