package dev.tenure;

import dev.tenure.spi.StoreTraits;
import java.util.List;

/**
 * A Tenure as it is composed. Components may be added.
 *
 * @param store its name
 * @param options of every election, unless {@link Elections#with} changed them
 * @param elections of the electors that stand or lead
 * @param acquisitions that wait, or whose lease is not yet given back
 * @param watches the roles that are watched, each as often as it is
 * @param lines the same for people
 */
public record TenureDescription(
        String instance,
        String store,
        StoreTraits traits,
        ElectionOptions options,
        List<ElectionDescription> elections,
        List<ElectionDescription> acquisitions,
        List<String> watches,
        List<String> lines) {

    public TenureDescription {
        elections = List.copyOf(elections);
        acquisitions = List.copyOf(acquisitions);
        watches = List.copyOf(watches);
        lines = List.copyOf(lines);
    }

    /**
     * The key that a role has on this store with {@link #options()}; starts nothing.
     *
     * @throws InvalidOptionsException if role or key are empty, too long or have characters that are not allowed
     */
    public String resolveKey(String role) {
        return options.resolveKey(role, traits);
    }

    /**
     * The lines, for people.
     */
    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}
