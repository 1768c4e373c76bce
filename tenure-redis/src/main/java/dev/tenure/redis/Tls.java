package dev.tenure.redis;

import io.lettuce.core.SslOptions;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Certificates from PEM files, read again for every connection, so that renewed ones are used without a restart.
 */
final class Tls {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final List<String> NAMES = List.of("ca", "cert", "key", "keyPassword");

    private Tls() {}

    /**
     * Null without TLS. The JVM's own trust where no authority is named.
     */
    static @Nullable SslOptions options(boolean secure, Map<String, String> options) {
        for (String name : NAMES) {
            if (!secure && options.containsKey(name)) {
                throw new IllegalArgumentException(name + " must not be given without TLS: use rediss://");
            }
        }
        if (options.containsKey("cert") != options.containsKey("key")) {
            throw new IllegalArgumentException("cert and key must be given together");
        }
        if (!secure) {
            return null;
        }
        SslOptions.Builder tls = SslOptions.builder().jdkSslProvider().handshakeTimeout(LIMIT);
        if (options.containsKey("ca")) {
            tls.trustManager(file("ca", options));
        }
        if (options.containsKey("cert")) {
            String password = options.get("keyPassword");
            tls.keyManager(
                    file("cert", options), file("key", options), password == null ? null : password.toCharArray());
        }
        return tls.build();
    }

    private static File file(String name, Map<String, String> options) {
        File file = new File(String.valueOf(options.get(name)));
        if (!file.isFile() || !file.canRead()) {
            throw new IllegalArgumentException(name + " must be a readable PEM file: " + name + "=" + file);
        }
        return file;
    }
}
