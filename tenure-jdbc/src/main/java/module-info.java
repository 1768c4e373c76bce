/**
 * Leases and fences in a database: SQLite on one host, PostgreSQL for many. The application brings its driver.
 */
@SuppressWarnings("requires-automatic") // the PostgreSQL driver's name stands in its manifest
module dev.tenure.jdbc {
    requires static transitive org.jspecify;
    requires transitive dev.tenure;
    requires transitive java.sql;
    requires org.slf4j;
    requires static org.postgresql.jdbc;

    exports dev.tenure.jdbc;

    provides dev.tenure.spi.LeaseStoreProvider with
            dev.tenure.jdbc.JdbcLeaseStoreProvider;
}
