package dev.tenure.test;

import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A key of the {@link DocumentStore}; never deleted.
 *
 * @param version of the format
 * @param token of the grant
 * @param expires the first instant at which nobody holds it
 * @param highest token of all grants, unless an operator set it
 * @param accepted what an operator accepted last; 0 if nothing
 */
record Document(int version, Holder holder, long token, Instant since, Instant expires, long highest, long accepted) {
    static final int VERSION = 1;
    static final int UNREADABLE = -1;
    static final Document EMPTY =
            new Document(VERSION, new Holder("", "", Map.of()), 0, Instant.EPOCH, Instant.EPOCH, 0, 0);

    Optional<LeaseRecord> live(String key, Instant now) {
        if (version == UNREADABLE) {
            throw new IllegalStateException("unreadable document: " + key);
        }
        Duration left = Duration.between(now, expires);
        if (left.isNegative() || left.isZero()) {
            return Optional.empty();
        }
        if (version != VERSION) {
            Holder unknown = new Holder("of unknown version " + version, "", Map.of());
            return Optional.of(new LeaseRecord(key, unknown, 0, left, Optional.empty()));
        }
        return Optional.of(new LeaseRecord(key, holder, token, left, Optional.of(since)));
    }

    Document granted(Holder to, long newToken, Instant now, Instant end) {
        return new Document(VERSION, to, newToken, now, end, newToken, accepted);
    }

    Document heldBy(Holder other) {
        return new Document(version, other, token, since, expires, highest, accepted);
    }

    Document endingAt(Instant end) {
        return new Document(version, holder, token, since, end, highest, accepted);
    }

    Document freed() {
        return new Document(VERSION, EMPTY.holder, 0, Instant.EPOCH, Instant.EPOCH, highest, accepted);
    }

    Document accepting(long other) {
        return new Document(version, holder, token, since, expires, other, other);
    }

    Document inVersion(int other) {
        return new Document(other, holder, token, since, expires, highest, accepted);
    }
}
