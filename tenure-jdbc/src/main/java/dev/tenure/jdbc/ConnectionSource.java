package dev.tenure.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/**
 * Where connections come from. May block for longer than it was asked to.
 */
@FunctionalInterface
interface ConnectionSource {

    Connection open(Duration limit) throws SQLException;

    /**
     * Connections of the driver for a URL.
     *
     * @param own user and password, if given
     * @throws IllegalArgumentException if no driver takes the URL
     */
    static ConnectionSource of(String url, Properties own, Dialect dialect) {
        Driver driver;
        try {
            driver = DriverManager.getDriver(url);
        } catch (SQLException none) { // its message is kept out: it may hold the URL, and so a password
            throw new IllegalArgumentException("no JDBC driver takes the URL: is the " + dialect.name()
                    + " driver on the class path, and the URL right?");
        }
        return limit -> {
            Properties properties = dialect.connectionProperties(limit);
            properties.putAll(own);
            Connection connection = driver.connect(url, properties);
            if (connection == null) {
                throw new SQLException("the driver no longer takes the URL", "08001");
            }
            try {
                dialect.prepare(connection);
            } catch (SQLException | RuntimeException unusable) {
                connection.close();
                throw unusable;
            }
            return connection;
        };
    }
}
