package dev.tenure.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which slots were decided, so that a clock that is set back brings none of them again: spans of slots that followed
 * each other, of which there is one as long as the clock does not jump.
 */
final class Judged {
    private static final int MOST = 16;

    private final List<Span> spans = new ArrayList<>(1);
    private @Nullable Span current;

    private static final class Span {
        private final Instant from;
        private Instant to;

        Span(Instant from, Instant to) {
            this.from = from;
            this.to = to;
        }

        boolean has(Instant slot) {
            return !slot.isBefore(from) && !slot.isAfter(to);
        }
    }

    /**
     * @param follows whether no slot was passed over since the one before
     */
    void add(Instant slot, boolean follows) {
        if (endOfSpan(slot) != null) {
            return;
        }
        Span last = current;
        if (follows && last != null) {
            last.to = slot;
            return;
        }
        if (spans.size() == MOST) {
            Span oldest = spans.remove(0);
            Span next = spans.remove(0);
            spans.add(0, new Span(min(oldest.from, next.from), oldest.to.isAfter(next.to) ? oldest.to : next.to));
        }
        current = new Span(slot, slot);
        spans.add(current);
    }

    /**
     * Until when slots were decided, if this one was; else null.
     */
    @Nullable
    Instant endOfSpan(Instant slot) {
        for (Span span : spans) {
            if (span.has(slot)) {
                return span.to;
            }
        }
        return null;
    }

    private static Instant min(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
