package dev.tenure.jdbc;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A holder's metadata as text: {@code application/x-www-form-urlencoded} in UTF-8, sorted by key.
 */
final class Metadata {
    private Metadata() {}

    static String encode(Map<String, String> metadata) {
        return new TreeMap<>(metadata)
                .entrySet().stream()
                        .map(pair -> URLEncoder.encode(pair.getKey(), StandardCharsets.UTF_8) + "="
                                + URLEncoder.encode(pair.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
    }

    /**
     * What cannot be decoded stays as it is: metadata is for people and never decides who holds a key.
     */
    static Map<String, String> decode(String text) {
        Map<String, String> metadata = new LinkedHashMap<>();
        for (String pair : text.split("&", -1)) {
            int split = pair.indexOf('=');
            if (split >= 0) {
                metadata.put(part(pair.substring(0, split)), part(pair.substring(split + 1)));
            }
        }
        return metadata;
    }

    private static String part(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException unreadable) {
            return text;
        }
    }
}
