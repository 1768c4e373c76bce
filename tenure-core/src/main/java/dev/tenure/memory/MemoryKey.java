package dev.tenure.memory;

import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One key: its grant, if any, and what outlives every grant. Times are monotonic nanoseconds, compared by difference.
 * Not thread-safe.
 */
final class MemoryKey {
    /**
     * How many released incarnations are remembered: more than the acquisitions of one key that can still be under way
     * when their release has been carried out.
     */
    private static final int REMEMBERED = 8;

    private final String key;
    private final TokenMode tokens;
    private List<String> released = List.of();
    private @Nullable Grant grant;
    private long highest;
    private long accepted;

    /**
     * @param end the first instant at which the grant is over
     */
    private record Grant(Holder holder, long token, Instant since, long end) {

        Grant heldBy(Holder other) {
            return new Grant(other, token, since, end);
        }

        Grant prolongedTo(long other) {
            return new Grant(holder, token, since, other - end > 0 ? other : end);
        }
    }

    MemoryKey(String key, TokenMode tokens) {
        this.key = key;
        this.tokens = tokens;
    }

    private Optional<Grant> live(long now) {
        return Optional.ofNullable(grant).filter(present -> present.end() - now > 0);
    }

    private LeaseRecord shown(Grant present, long now) {
        Duration remaining = Duration.ofNanos(present.end() - now);
        return new LeaseRecord(key, present.holder(), present.token(), remaining, Optional.of(present.since()));
    }

    private Optional<Grant> own(Claim claim, long now) {
        return live(now).filter(present -> claim.matches(shown(present, now)));
    }

    Optional<LeaseRecord> read(long now) {
        return live(now).map(present -> shown(present, now));
    }

    AcquireResult acquire(AcquireRequest request, long now, Instant wall) {
        Optional<LeaseRecord> record = read(now);
        if (record.isPresent() && !request.matches(record.get())) {
            return AcquireResult.denied(record.get());
        }
        if (released.contains(request.holder().incarnation())) {
            return AcquireResult.denied();
        }
        long end = now + request.lease().toNanos();
        Grant given = live(now).map(present -> present.prolongedTo(end)).orElseGet(() -> {
            highest = tokens.next(request, highest, accepted, wall);
            return new Grant(request.holder(), highest, wall, end);
        });
        grant = given;
        return AcquireResult.granted(given.token(), accepted);
    }

    boolean renew(Claim claim, long now) {
        Optional<Grant> own = own(claim, now);
        own.ifPresent(present -> grant = present.prolongedTo(now + claim.lease().toNanos()));
        return own.isPresent();
    }

    /**
     * Also shuts out an incarnation without a grant whose acquisition was never answered: it may still be under way.
     */
    boolean release(Claim claim, long now) {
        boolean held = own(claim, now).isPresent();
        if (held) {
            grant = null;
        }
        if (held || claim.token() == Claim.UNKNOWN_TOKEN) {
            remember(claim.holder().incarnation());
        }
        return held;
    }

    private void remember(String incarnation) {
        List<String> remembered = new ArrayList<>(released);
        remembered.remove(incarnation);
        remembered.add(incarnation);
        released = List.copyOf(remembered.subList(Math.max(0, remembered.size() - REMEMBERED), remembered.size()));
    }

    boolean revoke(long now) {
        Optional<Grant> present = live(now);
        present.ifPresent(taken -> {
            Holder was = taken.holder();
            grant = taken.heldBy(new Holder(was.name(), "revoked-" + taken.token(), was.metadata()));
        });
        return present.isPresent();
    }

    boolean forceRelease(long now) {
        boolean present = live(now).isPresent();
        grant = null;
        return present;
    }

    void acceptToken(long token) {
        highest = token;
        accepted = token;
    }
}
