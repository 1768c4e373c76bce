package dev.tenure.opentelemetry;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/**
 * Name and version, as the build wrote them into the jar.
 */
record Instrumentation(String name, String version) {
    private static final String RESOURCE = "instrumentation.properties";

    /**
     * @throws IllegalStateException if the jar is without them
     */
    static Instrumentation ofTheBuild() {
        Properties written = new Properties();
        try (InputStream in = Instrumentation.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("not in the jar: " + RESOURCE);
            }
            written.load(in);
        } catch (IOException unreadable) {
            throw new IllegalStateException("not readable in the jar: " + RESOURCE, unreadable);
        }
        return new Instrumentation(written.getProperty("name", ""), written.getProperty("version", ""));
    }
}
