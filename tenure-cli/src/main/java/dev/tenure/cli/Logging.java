package dev.tenure.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What libraries log: nothing, or with {@code --verbose} everything worth reading, on standard error.
 */
final class Logging {
    private static final Logger ROOT = Logger.getLogger("");

    private Logging() {}

    /**
     * To be called before the first logger is made.
     */
    static void configure(boolean verbose) {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", verbose ? "info" : "off");
        System.setProperty("org.slf4j.simpleLogger.log.dev.tenure", verbose ? "debug" : "off");
        System.setProperty("org.slf4j.simpleLogger.showDateTime", "true");
        System.setProperty("org.slf4j.simpleLogger.dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
        System.setProperty("org.slf4j.simpleLogger.showThreadName", "true");
        System.setProperty("org.slf4j.internal.verbosity", "ERROR");
        ROOT.setLevel(verbose ? Level.INFO : Level.OFF);
    }
}
