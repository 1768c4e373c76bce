package dev.tenure.spi;

import java.util.Map;

/**
 * Who asks for or has a key.
 *
 * @param name for people; not unique
 * @param incarnation random, new for every term; decides ownership
 * @param metadata free, to be stored with the record
 */
public record Holder(String name, String incarnation, Map<String, String> metadata) {

    public Holder {
        metadata = Map.copyOf(metadata);
    }
}
