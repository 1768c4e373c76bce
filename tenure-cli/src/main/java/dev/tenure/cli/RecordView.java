package dev.tenure.cli;

import dev.tenure.spi.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A role and its record, if there is one, as it is shown.
 *
 * @param key the key in the store
 */
record RecordView(String role, String key, Optional<LeaseRecord> record) {

    String holder() {
        return record.map(present -> Text.oneLine(present.holder().name()) + (isRevoked() ? " (revoked)" : ""))
                .orElse("");
    }

    /**
     * Whether an operator took it away: nobody's, until it ends.
     */
    boolean isRevoked() {
        return record.filter(present -> present.holder().incarnation().startsWith("revoked"))
                .isPresent();
    }

    String token() {
        return record.map(present -> Long.toString(present.token())).orElse("");
    }

    /**
     * By this machine's clock and whichever wrote the beginning: for people.
     */
    Optional<Duration> heldFor() {
        return record.flatMap(LeaseRecord::acquiredAt)
                .map(since -> Duration.between(since, Instant.now()))
                .map(held -> held.isNegative() ? Duration.ZERO : held);
    }

    Optional<Duration> expiresIn() {
        return record.map(LeaseRecord::remaining).map(left -> left.isNegative() ? Duration.ZERO : left);
    }

    String metadata() {
        return record.map(present -> Text.metadata(present.holder().metadata())).orElse("");
    }

    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("role", role);
        fields.put("key", key);
        fields.put("holder", record.map(present -> present.holder().name()).orElse(null));
        fields.put("revoked", isRevoked());
        fields.put("token", record.map(LeaseRecord::token).orElse(null));
        fields.put("held_for_ms", heldFor().map(Duration::toMillis).orElse(null));
        fields.put("expires_in_ms", expiresIn().map(Duration::toMillis).orElse(null));
        fields.put(
                "metadata", record.map(present -> present.holder().metadata()).orElse(null));
        return fields;
    }

    /**
     * On one line, for a stream of changes.
     */
    String line() {
        if (record.isEmpty()) {
            return role + ": nobody leads";
        }
        String more = metadata().isEmpty() ? "" : ", " + metadata();
        String held = heldFor().map(time -> ", held for " + Text.rough(time)).orElse("");
        return role + ": " + holder() + " leads, token " + token() + held + more;
    }
}
