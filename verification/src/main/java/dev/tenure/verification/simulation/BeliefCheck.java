package dev.tenure.verification.simulation;

import dev.tenure.engine.Draining;
import dev.tenure.engine.Term;
import java.util.concurrent.TimeUnit;

/**
 * I3: who believes has the store's grant, until the end of the belief and not only now. I6: the belief is given up by
 * the deadline, or as soon as the process runs again; after a suspend soon.
 * And a belief that has ended does not come back.
 */
final class BeliefCheck {
    /**
     * How late the loop may be.
     */
    private static final long LOOP = TimeUnit.MILLISECONDS.toNanos(10);

    /**
     * How often the engine compares its clocks.
     */
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(520);

    private final World world;

    BeliefCheck(World world) {
        this.world = world;
    }

    void look(Belief belief) {
        long now = world.agenda().now();
        if (belief.instance().isSuspended()) {
            return;
        }
        if (belief.phase() instanceof Draining draining) {
            drained(belief, draining);
        }
        if (now >= belief.end()) {
            belief.end(true);
            givenUp(belief, now);
        } else if (belief.hasEnded()) {
            world.violated("revived", "a belief that had ended came back: " + belief);
        } else {
            granted(belief);
        }
    }

    private void drained(Belief belief, Draining draining) {
        long until = draining.endsAt() + TimeUnit.MILLISECONDS.toNanos(20);
        if (belief.instance().clock().now() > until
                && belief.instance().runsSince() <= world.agenda().now() - LOOP) {
            world.violated("drain", "drains for longer than it may: " + belief);
        }
    }

    private void givenUp(Belief belief, long now) {
        long since = belief.instance().runsSince();
        if (since <= now - LOOP && belief.end() <= now - LOOP) {
            world.violated("I6", "the deadline passed and nothing was signalled: " + belief);
        }
    }

    /**
     * After a sleep that the monotonic clock did not count, the clock that counts it ends the term soon, or moves its
     * deadline: it is within a lease of the last confirmed sending, in virtual time.
     */
    private void woken(Belief belief, Term term) {
        Beliefs beliefs = belief.instance().beliefs();
        Sleeps sleeps = beliefs.sleeps();
        if (sleeps.wokeAt() < 0 || !belief.instance().clock().countsSuspend()) {
            return;
        }
        long awake = world.agenda().now() - Math.max(belief.instance().runsSince(), sleeps.wokeAt());
        if (awake < LOOK + LOOP || awake > world.scenario().lease()) {
            return;
        }
        long sentAt = beliefs.confirmedAt(belief.role(), term.token());
        long lease = world.scenario().lease();
        if (sleeps.noticedSince(sentAt) > world.scenario().margin() && belief.end() > sentAt + lease + lease / 50) {
            world.violated("suspend", "led on after a suspend: " + belief + ", awake since " + sleeps.wokeAt());
        }
    }

    private void granted(Belief belief) {
        Term term = belief.term();
        Ledger ledger = world.server().ledger();
        if (term == null) {
            return;
        }
        woken(belief, term);
        Grant grant = ledger.live(belief.role());
        boolean own = grant != null && grant.is(term.incarnation(), term.token());
        long end = own && grant != null ? ledger.end(grant) : 0;
        if (end < belief.end()
                && !ledger.isAssumptionBroken(belief.role(), term.token())
                && !belief.instance().beliefs().hasSlept(belief.role(), term.token())) {
            String what = own ? "believes for longer than the grant: " : "believes without a grant: ";
            world.violated("I3", what + belief + ", the store has " + grant + " until " + end);
        }
    }
}
