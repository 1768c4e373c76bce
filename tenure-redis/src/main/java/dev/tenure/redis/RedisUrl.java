package dev.tenure.redis;

import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code redis[s][-sentinel|-cluster]://[[user]:password@]host[:port][,host[:port]…][/database][?option=value…]
 * [#master]}. What is percent-encoded is decoded. No message shows a password.
 */
final class RedisUrl {
    static final Set<String> SCHEMES =
            Set.of("redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster");

    private static final Set<String> CONNECTION = Set.of(
            "user",
            "password",
            "database",
            "master",
            "sentinelUser",
            "sentinelPassword",
            "ca",
            "cert",
            "key",
            "keyPassword",
            "verify");
    private static final int PORT = 6379;
    private static final int SENTINEL_PORT = 26379;
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int LARGEST_DATABASE = 16_383;

    private final String scheme;
    private final boolean secure;
    private final boolean sentinel;
    private final boolean cluster;
    private final Map<String, String> options;
    private final List<Address> addresses = new ArrayList<>();
    private final @Nullable RedisCredentialsProvider credentials;

    private record Address(String host, int port) {
        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    private RedisUrl(String url, Map<String, String> given, @Nullable RedisCredentialsProvider credentials) {
        this.credentials = credentials;
        int end = url.indexOf("://");
        scheme = end < 0 ? "" : url.substring(0, end).toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme)) {
            throw new IllegalArgumentException("store must begin with one of " + new TreeSet<>(SCHEMES)
                    + " and ://: store=" + (scheme.isEmpty() ? "…" : scheme.replaceAll("[^a-z0-9+.-]", "?")));
        }
        secure = scheme.startsWith("rediss");
        sentinel = scheme.endsWith("-sentinel");
        cluster = scheme.endsWith("-cluster");
        options = new TreeMap<>();
        read(url.substring(end + 3));
        options.putAll(given);
        Set<String> known = new TreeSet<>(RedisOptions.NAMES);
        known.addAll(CONNECTION);
        RedisOptions.refuseUnknown(options, known);
    }

    /**
     * @param given options; each stands above the same one in the URL
     * @param credentials asked at each connecting; null leaves it to user and password
     * @throws IllegalArgumentException naming what is wrong
     */
    static Target parse(String url, Map<String, String> given, @Nullable RedisCredentialsProvider credentials) {
        return new RedisUrl(url, given, credentials).target();
    }

    private void read(String rest) {
        String left = rest;
        int hash = left.indexOf('#');
        if (hash >= 0) {
            if (!sentinel) {
                throw new IllegalArgumentException(
                        "master must not be given without Sentinel, and a # in a password be percent-encoded: %23");
            }
            put("master", left.substring(hash + 1));
            left = left.substring(0, hash);
        }
        int question = left.indexOf('?');
        if (question >= 0) {
            readQuery(left.substring(question + 1));
            left = left.substring(0, question);
        }
        int slash = left.indexOf('/');
        if (slash >= 0) {
            if (slash + 1 < left.length()) {
                put("database", left.substring(slash + 1));
            }
            left = left.substring(0, slash);
        }
        int at = left.lastIndexOf('@');
        if (at >= 0) {
            readUser(left.substring(0, at));
            left = left.substring(at + 1);
        }
        for (String host : left.split(",", -1)) {
            addresses.add(address(host));
        }
        if (addresses.size() > 1 && !sentinel && !cluster) {
            throw new IllegalArgumentException("store must name one server, or be redis-sentinel:// or"
                    + " redis-cluster://: servers=" + addresses.size());
        }
    }

    private void readQuery(String query) {
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                put(pair.substring(0, equals), pair.substring(equals + 1));
            } else if (!pair.isEmpty()) {
                throw new IllegalArgumentException("store must have option=value after its question mark");
            }
        }
    }

    private void readUser(String user) {
        int colon = user.indexOf(':');
        if (colon < 0) {
            put("password", user); // as redis-cli and the driver read it
        } else {
            if (colon > 0) {
                put("user", user.substring(0, colon));
            }
            put("password", user.substring(colon + 1));
        }
    }

    private void put(String option, String encoded) {
        try {
            String plus = encoded.replace("+", "%2B"); // a plus is a plus
            options.put(option, URLDecoder.decode(plus, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    option.replaceAll("[^A-Za-z]", "?") + " must be percent-encoded in the store's URL");
        }
    }

    private Address address(String text) {
        int colon = text.lastIndexOf(':');
        boolean bare = colon <= text.lastIndexOf(']');
        String host = bare ? text : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("host must be in brackets if it has colons");
        }
        if (!host.matches("[\\p{L}\\p{N}._:%-]+")) {
            throw new IllegalArgumentException("host must be a name or an address; user and password stand before an @,"
                    + " percent-encoded: hosts=" + (addresses.size() + 1));
        }
        return new Address(host, bare ? (sentinel ? SENTINEL_PORT : PORT) : port(text.substring(colon + 1)));
    }

    private static int port(String text) {
        int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port must be 1 to 65535; user and password stand before an @,"
                    + " percent-encoded: port=" + (text.matches("\\d+") ? text : "***"));
        }
        return port;
    }

    private Target target() {
        for (String name : List.of("master", "sentinelUser", "sentinelPassword")) {
            if (!sentinel && options.containsKey(name)) {
                throw new IllegalArgumentException(name + " must not be given without Sentinel: use redis-sentinel://");
            }
        }
        if (options.containsKey("sentinelUser") && !options.containsKey("sentinelPassword")) {
            throw new IllegalArgumentException("sentinelPassword must be given with a sentinelUser");
        }
        List<RedisURI> uris = new ArrayList<>();
        if (sentinel) {
            uris.add(sentinels());
        } else {
            addresses.forEach(each -> uris.add(finish(RedisURI.Builder.redis(each.host(), each.port()))));
        }
        return new Target(where(), cluster, List.copyOf(uris), Tls.options(secure, options), RedisOptions.of(own()));
    }

    private Map<String, String> own() {
        Map<String, String> own = new TreeMap<>(options);
        own.keySet().retainAll(RedisOptions.NAMES);
        return own;
    }

    private RedisURI sentinels() {
        String master = options.get("master");
        if (master == null || master.isBlank()) {
            throw new IllegalArgumentException(
                    "master must be named with Sentinel: redis-sentinel://host:26379#master");
        }
        RedisURI uri = finish(RedisURI.Builder.sentinel(
                addresses.get(0).host(), addresses.get(0).port(), master));
        uri.getSentinels().clear();
        for (Address each : addresses) {
            RedisURI one = RedisURI.create(each.host(), each.port());
            String password = options.get("sentinelPassword");
            if (password != null) {
                String user = options.get("sentinelUser");
                if (user == null) {
                    one.setAuthentication(password.toCharArray());
                } else {
                    one.setAuthentication(user, password.toCharArray());
                }
            }
            one.setTimeout(LIMIT);
            one.applySsl(uri);
            uri.getSentinels().add(one);
        }
        return uri;
    }

    private RedisURI finish(RedisURI.Builder builder) {
        builder.withTimeout(LIMIT).withDatabase(database()).withSsl(secure).withVerifyPeer(verify());
        RedisURI uri = builder.build();
        String password = options.get("password");
        String user = options.get("user");
        if (credentials != null) {
            uri.setCredentialsProvider(credentials);
        } else if (password != null && user != null) {
            uri.setAuthentication(user, password.toCharArray());
        } else if (password != null) {
            uri.setAuthentication(password.toCharArray());
        } else if (user != null) {
            throw new IllegalArgumentException("password must be given with a user: user=" + user);
        }
        return uri;
    }

    private int database() {
        String text = options.getOrDefault("database", "0");
        int database = text.matches("\\d{1,5}") ? Integer.parseInt(text) : -1;
        if (database < 0 || database > LARGEST_DATABASE || (cluster && database != 0)) {
            throw new IllegalArgumentException("database must be 0 to " + LARGEST_DATABASE
                    + ", and 0 on a Cluster: database=" + (text.matches("[\\w-]{1,20}") ? text : "***"));
        }
        return database;
    }

    private SslVerifyMode verify() {
        String verify = options.getOrDefault("verify", "full");
        if (!secure && options.containsKey("verify")) {
            throw new IllegalArgumentException("verify must not be given without TLS: use rediss://");
        }
        return switch (verify) {
            case "full" -> SslVerifyMode.FULL;
            case "ca" -> SslVerifyMode.CA;
            case "none" -> SslVerifyMode.NONE;
            default ->
                throw new IllegalArgumentException(
                        "verify must be full, ca or none: verify=" + verify.replaceAll("\\W", "?"));
        };
    }

    private String where() {
        String all = String.join(",", addresses.stream().map(Address::toString).toList());
        String place = options.getOrDefault("database", "0").equals("0") ? all : all + "/" + options.get("database");
        if (sentinel) {
            return "redis " + options.get("master") + " by sentinel " + place;
        }
        return (cluster ? "redis cluster at " : "redis at ") + place;
    }
}
