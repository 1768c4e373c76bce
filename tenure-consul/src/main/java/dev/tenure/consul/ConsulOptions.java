package dev.tenure.consul;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What a store may be told.
 *
 * @param agent {@code http://host:port}
 * @param prefix begins every key; empty, or with a slash at its end
 * @param tls from files; null for the JVM's own
 */
record ConsulOptions(
        URI agent,
        AclToken token,
        Place place,
        String prefix,
        Duration lockDelay,
        List<String> nodeChecks,
        @Nullable SSLContext tls) {
    static final Set<String> SCHEMES = Set.of("consul", "consul+https");

    private static final Set<String> NAMES = Set.of(
            "token",
            "password",
            "tokenFile",
            "datacenter",
            "ns",
            "partition",
            "namespace",
            "lockDelay",
            "nodeChecks",
            "ca",
            "cert",
            "key");
    private static final Duration LOCK_DELAY = Duration.ofSeconds(15);
    private static final Duration LONGEST_LOCK_DELAY = Duration.ofSeconds(60);
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)?");
    private static final int LONGEST = 128;

    ConsulOptions {
        if (!nodeChecks.isEmpty() && lockDelay.compareTo(ConsulStore.SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException(
                    "lockDelay must be at least 10s with nodeChecks, since the key may open that soon after they turn"
                            + " critical, and no lease may be longer: lockDelay="
                            + lockDelay.toMillis() + "ms");
        }
    }

    static ConsulOptions parse(String url, Map<String, String> given) {
        return parse(url, given, null);
    }

    /**
     * @param given each stands above the same one in the URL
     * @param tokens null if tokens come from an option, or there are none
     * @throws IllegalArgumentException naming what is wrong, never with a token
     */
    static ConsulOptions parse(
            String url, Map<String, String> given, @Nullable Supplier<? extends @Nullable String> tokens) {
        int question = url.indexOf('?');
        Map<String, String> options = new HashMap<>();
        if (question >= 0) {
            query(url.substring(question + 1), options);
        }
        options.putAll(given);
        for (String name : options.keySet()) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException(
                        "option is unknown: option=" + name + " known=" + new TreeSet<>(NAMES));
            }
        }
        URI agent = agent(question < 0 ? url : url.substring(0, question));
        return new ConsulOptions(
                agent,
                token(options, tokens),
                new Place(plain("datacenter", options), plain("ns", options), plain("partition", options)),
                prefix(plain("namespace", options)),
                lockDelay(options),
                Stream.of(options.getOrDefault("nodeChecks", "").split(","))
                        .filter(check -> !check.isBlank())
                        .map(String::trim)
                        .toList(),
                Tls.context(agent.getScheme().equals("https"), options));
    }

    private static void query(String query, Map<String, String> options) {
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("the URL's options must be name=value, separated by &");
            }
            try {
                options.put(pair.substring(0, equals), decode(pair.substring(equals + 1)));
            } catch (IllegalArgumentException unsound) {
                throw new IllegalArgumentException(
                        "option is not percent-encoded: option=" + pair.substring(0, equals), unsound);
            }
        }
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static URI agent(String url) {
        String scheme = url.contains("://") ? url.substring(0, url.indexOf("://")) : "";
        if (!SCHEMES.contains(scheme)) {
            throw new IllegalArgumentException("the URL must begin with consul:// or consul+https://");
        }
        boolean secure = "consul+https".equals(scheme);
        try {
            URI given = URI.create("http" + url.substring(scheme.length()));
            String path = given.getPath();
            if (given.getHost() == null || given.getUserInfo() != null || !(path.isEmpty() || path.equals("/"))) {
                throw new IllegalArgumentException("not host[:port]");
            }
            int port = given.getPort() >= 0 ? given.getPort() : secure ? 8501 : 8500;
            return URI.create((secure ? "https" : "http") + "://" + given.getHost() + ":" + port);
        } catch (IllegalArgumentException unsound) { // its message may hold a secret
            throw new IllegalArgumentException(
                    "the URL must be " + scheme + "://host[:port], with the token as an option");
        }
    }

    private static AclToken token(Map<String, String> options, @Nullable Supplier<? extends @Nullable String> tokens) {
        String token = options.getOrDefault("token", options.getOrDefault("password", ""));
        String file = options.getOrDefault("tokenFile", "");
        if (Stream.of(!token.isEmpty(), !file.isEmpty(), tokens != null)
                        .filter(given -> given)
                        .count()
                > 1) {
            throw new IllegalArgumentException("token, tokenFile and a token supplier exclude each other");
        }
        if (tokens != null) {
            return AclToken.from(tokens);
        }
        return file.isEmpty() ? AclToken.of(token) : AclToken.in(file("tokenFile", file));
    }

    static Path file(String option, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException unsound) {
            throw new IllegalArgumentException(option + " must be the name of a file", unsound);
        }
    }

    private static String plain(String name, Map<String, String> options) {
        String value = options.getOrDefault(name, "");
        if (value.length() > LONGEST || value.chars().anyMatch(c -> c <= ' ' || Character.isISOControl(c))) {
            throw new IllegalArgumentException(
                    name + " must be at most " + LONGEST + " characters, none of them a blank or control character");
        }
        return value;
    }

    private static String prefix(String namespace) {
        if (namespace.startsWith("/")) {
            throw new IllegalArgumentException("namespace must not begin with a slash: namespace=" + namespace);
        }
        return namespace.isEmpty() || namespace.endsWith("/") ? namespace : namespace + "/";
    }

    private static Duration lockDelay(Map<String, String> options) {
        String text = options.get("lockDelay");
        if (text == null) {
            return LOCK_DELAY;
        }
        Matcher parts = DURATION.matcher(text);
        if (parts.matches()) {
            long number = Long.parseLong(parts.group(1));
            Duration delay = "ms".equals(parts.group(2))
                    ? Duration.ofMillis(number)
                    : "m".equals(parts.group(2)) ? Duration.ofMinutes(number) : Duration.ofSeconds(number);
            if (delay.compareTo(LONGEST_LOCK_DELAY) <= 0) {
                return delay;
            }
        }
        throw new IllegalArgumentException("lockDelay must be 0s to 60s: lockDelay="
                + text.substring(0, Math.min(text.length(), 20)).replaceAll("\\p{Cntrl}", "?"));
    }

    /**
     * Without secrets.
     */
    @Override
    public String toString() {
        return "consul at " + agent.getHost() + ":" + agent.getPort();
    }
}
