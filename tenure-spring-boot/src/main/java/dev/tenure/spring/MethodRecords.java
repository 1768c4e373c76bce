package dev.tenure.spring;

import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.spi.ElectionMonitor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts runs and skips of {@link LeaderOnly} methods, and tells monitors of them, on the thread of the call.
 */
final class MethodRecords {
    private static final Logger LOG = LoggerFactory.getLogger(MethodRecords.class);

    private final List<ElectionMonitor> monitors;
    private final Map<String, Map<SlotOutcome, LongAdder>> counts = new ConcurrentHashMap<>();

    MethodRecords(List<ElectionMonitor> monitors) {
        this.monitors = List.copyOf(monitors);
    }

    /**
     * A method that may run; told once, however many beans have it.
     */
    void declared(String role, String method) {
        if (counts.putIfAbsent(method, new ConcurrentHashMap<>()) == null) {
            tell(monitor -> monitor.scheduleAdded(role, method));
        }
    }

    void ran(String role, String method, Instant at, SlotOutcome outcome, Duration took) {
        count(method, outcome);
        tell(monitor -> monitor.scheduleRun(role, method, at, outcome, took));
    }

    void skipped(String role, String method, Instant at) {
        count(method, SlotOutcome.FOLLOWER);
        LogLine.of(LOG, SpringEvent.METHOD_SKIPPED)
                .with("method", method)
                .with("role", role)
                .write();
        tell(monitor -> monitor.scheduleSkipped(role, method, at, SlotOutcome.FOLLOWER, 1));
    }

    private void count(String method, SlotOutcome outcome) {
        counts.computeIfAbsent(method, first -> new ConcurrentHashMap<>())
                .computeIfAbsent(outcome, first -> new LongAdder())
                .increment();
    }

    private void tell(Consumer<ElectionMonitor> of) {
        for (ElectionMonitor monitor : monitors) {
            try {
                of.accept(monitor);
            } catch (RuntimeException | Error thrown) {
                LogLine.of(LOG, CoreEvent.MONITOR_FAILED)
                        .with("monitor", monitor.getClass().getName())
                        .cause(thrown)
                        .write();
            }
        }
    }

    /**
     * How often each method came out how.
     */
    Map<String, Map<SlotOutcome, Long>> counts() {
        Map<String, Map<SlotOutcome, Long>> all = new TreeMap<>();
        counts.forEach((method, outcomes) -> {
            Map<SlotOutcome, Long> sums = new TreeMap<>();
            outcomes.forEach((outcome, sum) -> sums.put(outcome, sum.sum()));
            all.put(method, sums);
        });
        return all;
    }
}
