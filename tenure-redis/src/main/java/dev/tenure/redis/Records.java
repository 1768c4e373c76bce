package dev.tenure.redis;

import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a record. Metadata have a prefix, so that fields of later versions do not meet them.
 */
final class Records {
    private static final String VERSION = "1";
    private static final String METADATA = "m:";

    /**
     * Stands for no end, of a record that somebody wrote by hand.
     */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private Records() {}

    /**
     * Field, value, and so on: those that the holder decides.
     */
    static List<String> fields(Holder holder) {
        List<String> fields = new ArrayList<>();
        fields.add("name");
        fields.add(holder.name());
        holder.metadata().forEach((key, value) -> {
            fields.add(METADATA + key);
            fields.add(value);
        });
        return fields;
    }

    /**
     * @param left ms, or less than 0 without an end
     * @param type of Redis
     * @param pairs field, value, and so on
     */
    static LeaseRecord of(String key, long left, String type, List<?> pairs) {
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            fields.put(String.valueOf(pairs.get(i)), String.valueOf(pairs.get(i + 1)));
        }
        Duration remaining = left < 0 ? FOR_EVER : Duration.ofMillis(left + 1); // what was cut off
        String version = fields.get("v");
        if (!VERSION.equals(version)) {
            return new LeaseRecord(key, stranger(type, version, fields), 0, remaining, Optional.empty());
        }
        Map<String, String> metadata = new HashMap<>();
        fields.forEach((field, value) -> {
            if (field.startsWith(METADATA)) {
                metadata.put(field.substring(METADATA.length()), value);
            }
        });
        Holder holder = new Holder(fields.getOrDefault("name", ""), fields.getOrDefault("incarnation", ""), metadata);
        return new LeaseRecord(key, holder, number(fields.get("token")), remaining, since(fields.get("since")));
    }

    private static Holder stranger(String type, @Nullable String version, Map<String, String> fields) {
        String incarnation = version == null ? "unknown-" + type : "unknown-version-" + version;
        return new Holder(fields.getOrDefault("name", "unknown"), incarnation, Map.of());
    }

    private static long number(@Nullable String text) {
        return text != null && text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    private static Optional<Instant> since(@Nullable String micros) {
        long since = number(micros);
        return since == 0 ? Optional.empty() : Optional.of(Instant.EPOCH.plus(since, ChronoUnit.MICROS));
    }
}
