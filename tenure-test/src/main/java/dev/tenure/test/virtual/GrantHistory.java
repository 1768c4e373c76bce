package dev.tenure.test.virtual;

import dev.tenure.engine.Term;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.test.virtual.StoreCall.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who asked under which incarnation, and what was granted.
 */
final class GrantHistory {
    private final InvariantChecker checker;
    private final Map<String, String> keys = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>();
    private final Map<String, Long> highest = new HashMap<>();
    private final Map<String, Long> deadlines = new HashMap<>();

    GrantHistory(InvariantChecker checker) {
        this.checker = checker;
    }

    Optional<String> keyOf(String incarnation) {
        return Optional.ofNullable(keys.get(incarnation));
    }

    void sent(StoreCall call) {
        Optional<Holder> holder = call.holder();
        if (holder.isEmpty()) {
            return;
        }
        if (call.timeLimit().isZero()
                || call.timeLimit().isNegative()
                || call.timeLimit().compareTo(call.lease()) >= 0) {
            checker.violated(Invariant.CALL_LIMITED, "limit " + call.timeLimit() + " of " + call);
        }
        String incarnation = holder.get().incarnation();
        if (call.kind() == Kind.ACQUIRE) {
            keys.put(incarnation, call.key());
        }
        Long token = tokens.get(incarnation);
        if (call.kind() == Kind.RENEW && token != null && token != call.token()) {
            checker.violated(Invariant.TOKENS_RISE, "token was " + token + " in this term: " + call);
        }
    }

    void applying(StoreCall call, Runnable operation) {
        ScriptedStore store = checker.world().store();
        Optional<LeaseRecord> before = store.record(call.key());
        operation.run();
        if (call.holder().isEmpty()) {
            return;
        }
        Holder holder = call.holder().get();
        if (call.kind() == Kind.ACQUIRE) {
            if (call.result().orElse(null) instanceof Granted granted) {
                granted(call, holder, before, granted.token());
            }
            return;
        }
        boolean matches = InvariantChecker.owns(before, holder)
                && (call.token() == 0 || before.orElseThrow().token() == call.token());
        Optional<LeaseRecord> after = store.record(call.key());
        if (!matches && !before.equals(after)) {
            checker.violated(Invariant.STALE_CHANGES_NOTHING, before + " became " + after + " by " + call);
        }
    }

    private void granted(StoreCall call, Holder holder, Optional<LeaseRecord> before, long token) {
        if (before.isPresent() && !InvariantChecker.owns(before, holder)) {
            checker.violated(Invariant.ONE_LEADER, "granted although there is " + before + ": " + call);
        }
        boolean again = InvariantChecker.owns(before, holder);
        long known = highest.getOrDefault(call.key(), 0L);
        if (again ? token != before.orElseThrow().token() : token <= known) {
            checker.violated(Invariant.TOKENS_RISE, "granted " + token + " after " + known + ": " + call);
        }
        tokens.put(holder.incarnation(), token);
        highest.merge(call.key(), token, Math::max);
    }

    void believed(VirtualTenure process, Term term, long deadline) {
        deadlines.put(process.name() + "#" + term.token(), deadline);
    }

    /**
     * The last deadline of a term that anybody believed in, on the world's clock.
     */
    long deadlineOf(String process, long token) {
        return deadlines.getOrDefault(process + "#" + token, Long.MAX_VALUE);
    }
}
