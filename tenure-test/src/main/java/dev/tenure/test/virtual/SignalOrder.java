package dev.tenure.test.virtual;

import dev.tenure.test.virtual.Recorded.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Judges what listeners and monitors were told.
 */
final class SignalOrder {
    private final InvariantChecker checker;
    private final Map<String, Recorded> open = new HashMap<>();
    private final Set<String> told = new HashSet<>();

    SignalOrder(InvariantChecker checker) {
        this.checker = checker;
    }

    void judge(List<Recorded> events) {
        for (Recorded event : events) {
            if (event.kind() == Kind.ON_ELECTED || event.kind() == Kind.ELECTED) {
                elected(event);
            } else if (event.kind() == Kind.ON_LOST || event.kind() == Kind.LOST) {
                lost(event);
            }
        }
        Set<String> closed = new HashSet<>();
        for (VirtualTenure process : checker.world().processes()) {
            if (process.isClosed()) {
                closed.add(process.name());
            }
        }
        for (Recorded left : open.values()) {
            if (closed.contains(left.process())) {
                checker.violated(Invariant.SIGNALS_IN_ORDER, "never lost: " + left);
            }
        }
    }

    private static String registration(Recorded event) {
        return event.process() + "/" + event.role() + "/" + event.source();
    }

    private void elected(Recorded event) {
        Recorded before = open.put(registration(event), event);
        if (before != null) {
            checker.violated(Invariant.SIGNALS_IN_ORDER, event + " before the end of " + before);
        }
        if (!told.add(registration(event) + "/" + event.token() + "/" + event.term() + sameToken(event))) {
            checker.violated(Invariant.SIGNALS_IN_ORDER, "told again: " + event);
        }
    }

    /**
     * Without tokens the terms of several acquisitions cannot be told apart.
     */
    private static String sameToken(Recorded event) {
        return event.token() == 0 ? event.at().toString() : "";
    }

    private void lost(Recorded event) {
        Recorded begun = open.remove(registration(event));
        if (begun == null || begun.term() != event.term() || begun.token() != event.token()) {
            checker.violated(Invariant.SIGNALS_IN_ORDER, event + " after " + begun);
        }
        boolean undisturbed = checker.world().processes().stream()
                .noneMatch(process -> process.name().equals(event.process()) && process.isDisturbed());
        long deadline = checker.grants().deadlineOf(event.process(), event.token());
        long at = VirtualTime.ORIGIN + event.at().toNanos();
        if (undisturbed && deadline != Long.MAX_VALUE && at > deadline) {
            checker.violated(
                    Invariant.LOST_BY_DEADLINE,
                    "told " + TimeUnit.NANOSECONDS.toMillis(at - deadline) + " ms late: " + event);
        }
    }
}
