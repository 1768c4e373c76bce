/**
 * The {@code tenure} command.
 */
module dev.tenure.cli {
    requires static org.jspecify;
    requires com.fasterxml.jackson.core;
    requires dev.tenure;
    requires dev.tenure.jdbc;
    requires info.picocli;
    requires java.logging;

    opens dev.tenure.cli to
            info.picocli;
}
