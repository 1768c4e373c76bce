/**
 * The {@code tenure} command.
 */
@org.jspecify.annotations.NullMarked
module dev.tenure.cli {
    requires static org.jspecify;
    requires dev.tenure;
    requires dev.tenure.jdbc;
    requires com.fasterxml.jackson.core;
    requires info.picocli;
    requires org.slf4j;

    opens dev.tenure.cli to
            info.picocli;
}
