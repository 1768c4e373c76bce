package dev.tenure.verification.simulation;

import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.RenewResult;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps book of what the store answered, by itself, and finds I1, I2 and I5 broken. Knows for which incarnations an
 * assumption about the store does not hold.
 */
final class Ledger {
    private final World world;
    private final StoreClock clock;
    private final Map<String, Grant> grants = new HashMap<>();
    private final Map<String, Long> highest = new HashMap<>();
    private final Set<String> broken = new HashSet<>(); // role and token
    private final Map<String, Long> strayAt = new HashMap<>();
    private long backwards;

    Ledger(World world, StoreClock clock) {
        this.world = world;
        this.clock = clock;
    }

    /**
     * The live grant of a key, revoked or not.
     */
    @Nullable
    Grant live(String key) {
        Grant grant = grants.get(key);
        return grant != null && grant.end() > clock.nanos() ? grant : null;
    }

    /**
     * In virtual time, when a grant ends if the clock is not stepped.
     */
    long end(Grant grant) {
        return world.agenda().now() + clock.until(grant.end());
    }

    /**
     * Whether a grant was forced out, or the store's clock was set forward beyond the margin under it.
     */
    boolean isAssumptionBroken(String role, long token) {
        return broken.contains(role + '#' + token);
    }

    /**
     * When a request that came late or twice last changed the key; negative if never.
     */
    long strayAt(String key) {
        return strayAt.getOrDefault(key, -1L);
    }

    /**
     * By how much the clock was set back in all: leases last so much longer.
     */
    long backwards() {
        return backwards;
    }

    Map<String, Grant> all() {
        return grants;
    }

    private void noteStray(String key, boolean stray) {
        if (stray) {
            strayAt.put(key, world.agenda().now());
        }
    }

    void granted(AcquireRequest request, long token, boolean stray) {
        String key = request.key();
        String incarnation = request.holder().incarnation();
        long end = clock.nanos() + request.lease().toNanos();
        Grant before = live(key);
        noteStray(key, stray);
        if (before != null && !before.revoked() && before.incarnation().equals(incarnation)) {
            if (token != before.token()) {
                world.violated("I2", "token changed within a term: " + before + " then " + token);
            }
            grants.put(key, before.prolonged(Math.max(end, before.end()), stray));
            broken.remove(key + '#' + token);
            return;
        }
        if (before != null) {
            world.violated("I1", "granted to " + incarnation + " beside " + before);
        }
        long most = highest.getOrDefault(key, 0L);
        if (token <= most) {
            world.violated("I2", "token " + token + " of " + key + " is not above " + most);
        }
        highest.put(key, Math.max(token, most));
        grants.put(
                key,
                new Grant(
                        incarnation, token, end, false, stray, 0, world.agenda().now()));
        world.tally().count("store: granted");
        world.note("store", "granted", incarnation, token);
    }

    void renewed(
            Claim claim, RenewResult result, Optional<LeaseRecord> before, Optional<LeaseRecord> after, boolean stray) {
        Grant live = live(claim.key());
        boolean own = live != null && !live.revoked() && live.is(claim.holder().incarnation(), claim.token());
        if (result == RenewResult.RENEWED) {
            if (own && live != null) {
                long end = Math.max(live.end(), clock.nanos() + claim.lease().toNanos());
                grants.put(claim.key(), live.prolonged(end, false));
                broken.remove(claim.key() + '#' + live.token());
                noteStray(claim.key(), stray);
            } else {
                world.violated("I5", "renewed a stale claim: " + claim + " beside " + live);
            }
        } else {
            unchanged("renew", claim, own, before, after);
        }
    }

    void released(Claim claim, Optional<LeaseRecord> before, Optional<LeaseRecord> after) {
        Grant live = live(claim.key());
        boolean own = live != null
                && !live.revoked()
                && live.incarnation().equals(claim.holder().incarnation())
                && (claim.token() == Claim.UNKNOWN_TOKEN || claim.token() == live.token());
        if (own) {
            grants.remove(claim.key());
            world.note("store", "released", claim.holder().incarnation(), claim.token());
            if (after.isPresent()) {
                world.violated("I5", "release kept its own record: " + after.get());
            }
        } else {
            unchanged("release", claim, false, before, after);
        }
    }

    private void unchanged(
            String what, Claim claim, boolean own, Optional<LeaseRecord> before, Optional<LeaseRecord> after) {
        world.tally().count("store: stale " + what);
        if (own) {
            world.violated("I5", what + " of a live claim was refused: " + claim);
        }
        if (!before.equals(after)) {
            world.violated("I5", "a stale " + what + " changed something: " + before + " to " + after + " by " + claim);
        }
    }

    void revoked(String key) {
        Grant live = live(key);
        if (live != null) {
            grants.put(key, live.taken());
        }
    }

    void forced(String key) {
        Grant live = live(key);
        if (live != null) {
            broken.add(key + '#' + live.token());
        }
        grants.remove(key);
    }

    void stepped(long by) {
        if (!world.scenario().wallJudged()) {
            return;
        }
        backwards += Math.max(0, -by);
        grants.replaceAll((key, grant) -> {
            Grant now = grant.stepped(by);
            if (now.stepped() > world.scenario().covered()) {
                broken.add(key + '#' + grant.token());
            }
            return now;
        });
    }
}
