package dev.tenure.memory;

import dev.tenure.Registration;
import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who wants to be woken for which key. Wake-ups run on the thread of whoever changed the key, under no lock; what one
 * throws is logged and keeps nobody else from being woken.
 */
final class MemoryWatches {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryWatches.class);

    private final Map<String, List<Watch>> watches = new ConcurrentHashMap<>();

    /**
     * One registration; equal to itself only, so that one wake-up may be registered twice.
     */
    private static final class Watch {
        private final Runnable wakeUp;
        private volatile boolean removed;

        private Watch(Runnable wakeUp) {
            this.wakeUp = wakeUp;
        }

        private void wake(String key) {
            if (removed) {
                return;
            }
            try {
                wakeUp.run();
            } catch (RuntimeException | Error survived) {
                LogLine.of(LOG, CoreEvent.WAKEUP_FAILED)
                        .with("key", key)
                        .cause(survived)
                        .write();
            }
        }
    }

    Registration add(String key, Runnable wakeUp) {
        Watch watch = new Watch(wakeUp);
        watches.merge(key, List.of(watch), MemoryWatches::joined);
        return () -> remove(key, watch);
    }

    private void remove(String key, Watch watch) {
        watch.removed = true;
        watches.computeIfPresent(key, (same, present) -> {
            List<Watch> others =
                    present.stream().filter(each -> !each.equals(watch)).toList();
            return others.isEmpty() ? null : others;
        });
    }

    private static List<Watch> joined(List<Watch> some, List<Watch> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    void wake(String key) {
        watches.getOrDefault(key, List.of()).forEach(watch -> watch.wake(key));
    }
}
