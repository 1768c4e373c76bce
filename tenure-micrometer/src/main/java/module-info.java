/**
 * Meters of elections in a Micrometer registry.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Micrometer's name stands in its manifest
module dev.tenure.micrometer {
    requires static transitive org.jspecify;
    requires transitive dev.tenure;
    requires transitive micrometer.core;

    exports dev.tenure.micrometer;
}
