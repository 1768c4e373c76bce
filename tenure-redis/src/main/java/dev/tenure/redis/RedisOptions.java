package dev.tenure.redis;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a store may be told, besides where its server is.
 *
 * @param namespace begins every key unless there is a prefix
 * @param prefix begins every key, with the key's own braces after it; null for the default style
 * @param hashTags whether the namespace stands in braces; null leaves it to the kind of server
 * @param counter tokens are counted instead of made from the time
 */
record RedisOptions(
        String namespace, @Nullable String prefix, @Nullable Boolean hashTags, boolean counter) {
    static final Set<String> NAMES = Set.of("namespace", "prefix", "hashTags", "tokens");

    private static final String DEFAULT_NAMESPACE = "tenure";
    private static final int LONGEST = 128;

    static RedisOptions of(Map<String, String> options) {
        if (options.containsKey("prefix") && options.containsKey("namespace")) {
            throw new IllegalArgumentException("prefix and namespace exclude each other: prefix="
                    + options.get("prefix") + " namespace=" + options.get("namespace"));
        }
        return new RedisOptions(
                namespace(options.getOrDefault("namespace", DEFAULT_NAMESPACE)),
                prefix(options.get("prefix")),
                hashTags(options.get("hashTags")),
                isCounter(options.getOrDefault("tokens", "formula")));
    }

    static void refuseUnknown(Map<String, String> options, Set<String> known) {
        for (String name : options.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "option is unknown: option=" + name + " known=" + new TreeSet<>(known));
            }
        }
    }

    private static String namespace(String namespace) {
        boolean sound = !namespace.isEmpty()
                && namespace.length() <= LONGEST
                && namespace.chars().noneMatch(c -> c == '{' || c == '}' || isInvisible(c));
        if (!sound) {
            throw new IllegalArgumentException("namespace must be 1 to " + LONGEST
                    + " characters, none of them a brace, blank or control character: namespace=" + shown(namespace));
        }
        return namespace;
    }

    private static @Nullable String prefix(@Nullable String prefix) {
        if (prefix != null && (prefix.length() > LONGEST || prefix.chars().anyMatch(RedisOptions::isInvisible))) {
            throw new IllegalArgumentException("prefix must be at most " + LONGEST
                    + " characters, none of them a blank or control character: prefix=" + shown(prefix));
        }
        return prefix;
    }

    private static boolean isInvisible(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c);
    }

    private static String shown(String value) {
        String start = value.length() > LONGEST ? value.substring(0, LONGEST) + "…" : value;
        return start.replaceAll("\\p{Cntrl}", "?");
    }

    private static @Nullable Boolean hashTags(@Nullable String value) {
        if (value == null) {
            return null;
        }
        return switch (value) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> throw new IllegalArgumentException("hashTags must be true or false: hashTags=" + shown(value));
        };
    }

    private static boolean isCounter(String tokens) {
        return switch (tokens) {
            case "formula" -> false;
            case "counter" -> true;
            default -> throw new IllegalArgumentException("tokens must be formula or counter: tokens=" + shown(tokens));
        };
    }

    /**
     * @throws IllegalArgumentException if a Cluster is to be used without hash tags
     */
    Keys keys(boolean cluster) {
        String own = prefix;
        if (own != null) {
            return Keys.withPrefix(own);
        }
        Boolean tags = hashTags;
        if (cluster && Boolean.FALSE.equals(tags)) {
            throw new IllegalArgumentException(
                    "hashTags must be true on a Cluster, where a record and its counter share a slot: hashTags=false");
        }
        return Keys.inNamespace(namespace, tags == null ? cluster : tags);
    }

    String tokenSource() {
        return counter
                ? "a count of the key's grants, kept beside its record; a flush, an eviction or a failover that loses"
                        + " the last grant repeats tokens unless the asker has seen them"
                : "µs of the server's clock, kept above every earlier token of the key and every token that the asker"
                        + " has seen; a flush or failover together with a clock set back repeats them";
    }
}
