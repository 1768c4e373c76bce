package dev.tenure.consul;

import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A key that somebody waits for, and what was last seen of it.
 */
final class Watched {
    private static final Logger LOG = LoggerFactory.getLogger(Watched.class);

    /**
     * Told apart by identity: the same wake-up may be given twice.
     */
    static final class Waiter {
        final Runnable wakeUp;

        Waiter(Runnable wakeUp) {
            this.wakeUp = wakeUp;
        }

        void wake(String key) {
            try {
                wakeUp.run();
            } catch (Throwable thrown) {
                LogLine.of(LOG, CoreEvent.WAKEUP_FAILED)
                        .with("key", key)
                        .cause(thrown)
                        .write();
            }
        }
    }

    final String key;
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    private final LockDelays delays;
    private @Nullable Entry seen;

    Watched(String key, LockDelays delays) {
        this.key = key;
        this.delays = delays;
    }

    /**
     * Whether it is known to be free.
     */
    synchronized boolean add(Waiter waiter) {
        waiters.add(waiter);
        return seen != null && !seen.isLocked();
    }

    /**
     * Whether nobody is left.
     */
    boolean remove(Waiter waiter) {
        waiters.remove(waiter);
        return waiters.isEmpty();
    }

    /**
     * Wakes all if the key may be had, or is another's than before.
     *
     * @return whether anything changed
     */
    boolean see(Optional<Entry> present) {
        Entry now = present.orElseGet(() -> new Entry(key, "", "", 0));
        Entry before;
        synchronized (this) {
            before = seen;
            seen = now;
        }
        boolean changed = !now.equals(before);
        if (now.isLocked()) {
            delays.opened(key);
        } else if (before != null && before.isLocked()) {
            delays.freed(key, System.nanoTime());
        }
        boolean granted = before != null && !before.isLocked();
        if (changed && (!now.isLocked() || (before != null && !granted))) {
            waiters.forEach(each -> each.wake(key));
        }
        return changed;
    }
}
