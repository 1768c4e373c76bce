package dev.tenure.consul;

import dev.tenure.spi.Holder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The terms of this process, by key and incarnation. What nobody has asked for since its session ended is forgotten.
 */
final class Terms {
    private static final long SWEEP = 30_000_000_000L;

    private record Id(String key, String incarnation) {}

    private final Map<Id, Term> terms = new ConcurrentHashMap<>();
    private final AtomicLong sweptAt = new AtomicLong(System.nanoTime());

    Term of(String key, Holder holder) {
        sweep();
        return Objects.requireNonNull(terms.compute(
                new Id(key, holder.incarnation()),
                (id, present) -> present == null || present.isEnded() ? new Term(key, holder) : present));
    }

    @Nullable
    Term find(String key, Holder holder) {
        return terms.get(new Id(key, holder.incarnation()));
    }

    void remove(Term term) {
        terms.remove(new Id(term.key, term.holder.incarnation()), term);
    }

    Collection<Term> all() {
        return List.copyOf(terms.values());
    }

    private void sweep() {
        long now = System.nanoTime();
        long last = sweptAt.get();
        if (now - last > SWEEP && sweptAt.compareAndSet(last, now)) {
            terms.values().removeIf(term -> term.isForgotten(now));
        }
    }
}
