package dev.tenure.consul;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Text in URLs.
 */
final class Paths {
    private Paths() {}

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Slashes stay.
     */
    static String ofKey(String key) {
        return Arrays.stream(key.split("/", -1)).map(Paths::encode).collect(Collectors.joining("/"));
    }

    /**
     * Whether a key survives as a path: Consul's HTTP server cleans paths of empty parts and dots.
     */
    static boolean isPath(String key) {
        return Arrays.stream(key.split("/", -1))
                .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }
}
