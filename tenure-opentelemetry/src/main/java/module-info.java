/**
 * Spans of elections for OpenTelemetry.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // its name stands in its manifest
module dev.tenure.opentelemetry {
    requires static transitive org.jspecify;
    requires transitive dev.tenure;
    requires transitive io.opentelemetry.api;

    exports dev.tenure.opentelemetry;
}
