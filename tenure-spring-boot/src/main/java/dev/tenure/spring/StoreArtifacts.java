package dev.tenure.spring;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.springframework.util.ClassUtils;

/**
 * What has to be on the class path for a URL.
 */
final class StoreArtifacts {
    private static final Map<String, String> MODULES = Map.of(
            "jdbc", "tenure-jdbc",
            "redis", "tenure-redis",
            "rediss", "tenure-redis",
            "consul", "tenure-consul");
    private static final Map<String, String> STORES = Map.of(
            "tenure-jdbc", "dev.tenure.jdbc.JdbcLeaseStore",
            "tenure-redis", "dev.tenure.redis.RedisLeaseStore",
            "tenure-consul", "dev.tenure.consul.ConsulLeaseStore");
    private static final Map<String, String> DRIVERS = Map.of(
            "jdbc:postgresql:", "org.postgresql:postgresql",
            "jdbc:sqlite:", "org.xerial:sqlite-jdbc");

    private StoreArtifacts() {}

    /**
     * What to add, as the end of an advice; empty if nothing is missing, or the URL is of no store.
     */
    static String missingFor(String url) {
        String scheme = url.substring(0, Math.max(0, url.indexOf(':')));
        String module = MODULES.getOrDefault(scheme.replaceFirst("[+-].*", ""), "");
        if (!module.isEmpty() && !ClassUtils.isPresent(STORES.getOrDefault(module, ""), null)) {
            return ", or add the module dev.tenure:" + module;
        }
        return DRIVERS.entrySet().stream()
                .filter(driver -> url.startsWith(driver.getKey()) && !hasDriver(url))
                .map(driver -> ", or add the driver " + driver.getValue() + ", which is the application's to bring")
                .findFirst()
                .orElse("");
    }

    private static boolean hasDriver(String url) {
        try {
            DriverManager.getDriver(url);
            return true;
        } catch (SQLException none) {
            return false;
        }
    }
}
