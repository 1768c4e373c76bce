package dev.tenure;

import dev.tenure.spi.StoreTraits;
import java.util.List;

/**
 * A Tenure as it is composed. Components may be added.
 */
public record TenureDescription(
        String instance, String store, StoreTraits traits, List<ElectionDescription> elections) {}
