package dev.tenure.schedule;

import dev.tenure.InvalidOptionsException;
import dev.tenure.InvalidOptionsException.Violation;
import dev.tenure.LeaderWork;
import dev.tenure.Leadership;
import dev.tenure.Registration;
import dev.tenure.engine.ScheduleHost;
import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks of one scheduler.
 */
final class TenureScheduler implements LeaderScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderScheduler.class);

    private final ScheduleHost host;
    private final Terms terms;
    private final Lanes lanes;
    private final Map<String, Task> tasks = new ConcurrentSkipListMap<>();
    private final Leaving leaving = new Leaving(tasks);
    private final Registration begins;
    private volatile boolean closed;

    private TenureScheduler(ScheduleHost host) {
        this.host = host;
        host.ensureOpen();
        terms = new Terms(host);
        lanes = new Lanes(host);
        begins = host.terms(this::termBegan);
    }

    static LeaderScheduler on(Leadership leadership) {
        Objects.requireNonNull(leadership, "leadership");
        return new TenureScheduler(
                leadership instanceof ScheduleHost.Owner own ? own.scheduleHost() : new PlainScheduleHost(leadership));
    }

    private void termBegan() {
        terms.current();
        tasks.values().forEach(Task::termBegan);
    }

    @Override
    public Registration schedule(String task, Schedule schedule, Consumer<TaskOptions> options, LeaderWork run) {
        return schedule(task, schedule, options, TaskRun.withoutSlot(run));
    }

    @Override
    public Registration schedule(String task, Schedule schedule, Consumer<TaskOptions> options, SlotWork run) {
        Objects.requireNonNull(schedule, "schedule");
        Objects.requireNonNull(run, "run");
        TaskOptions set = new TaskOptions();
        options.accept(set);
        check(task, set);
        host.ensureOpen();
        Task.Plan plan = new Task.Plan(task, schedule, set.needs(), set.afterHandOver(), run);
        Task made = Task.of(plan, host, terms, lanes, leaving);
        if (tasks.putIfAbsent(task, made) != null) {
            throw new IllegalStateException("there is a task of this name already: task=" + task);
        }
        if (closed) {
            tasks.remove(task, made);
            made.end();
            throw new IllegalStateException("this scheduler is closed: task=" + task);
        }
        host.added(task);
        made.wake();
        return () -> remove(made);
    }

    private void remove(Task task) {
        task.end();
        leaving.add(task);
        tasks.remove(task.plan().name(), task);
    }

    private void check(String task, TaskOptions set) {
        List<Violation> violations = new ArrayList<>();
        if (task.isBlank()) {
            violations.add(new Violation("task", "'" + task + "'", "not blank"));
        }
        Duration longest = host.longestRemaining();
        if (set.needs().isNegative()) {
            violations.add(new Violation("needs", Schedule.text(set.needs()), "zero or above"));
        } else if (longest != null && set.needs().compareTo(longest) > 0) {
            violations.add(new Violation(
                    "needs", Schedule.text(set.needs()), "at most lease - safetyMargin = " + Schedule.text(longest)));
        }
        InvalidOptionsException.throwIfAny(violations);
    }

    @Override
    public List<TaskStatus> tasks() {
        return tasks.values().stream().map(Task::status).toList();
    }

    @Override
    public void close() {
        closed = true;
        begins.remove();
        lanes.close();
        tasks.values().forEach(Task::end);
        List<CompletableFuture<Void>> runs = new ArrayList<>();
        tasks.values().forEach(task -> task.running().ifPresent(run -> runs.add(run.overUnlessHere())));
        leaving.all().forEach(run -> runs.add(run.overUnlessHere())); // after those, of which one may be removed now
        CompletableFuture<Void> all = CompletableFuture.allOf(runs.toArray(CompletableFuture[]::new));
        if (!all.isDone()) {
            await(all);
        }
    }

    /**
     * By the time of the host; and by that of the machine, should the host have come to its end.
     */
    private void await(CompletableFuture<Void> all) {
        Duration longest = host.drainTimeout();
        ScheduleHost.Alarm limit = host.alarm(() -> all.complete(null));
        limit.set(host.time().now() + longest.toNanos());
        try {
            all.get(longest.toNanos() + TimeUnit.SECONDS.toNanos(1), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException late) {
            LogLine.of(LOG, CoreEvent.SCHEDULER_CLOSE_LATE)
                    .with("role", host.role())
                    .cause(late)
                    .write();
        } finally {
            limit.cancel();
        }
    }

    @Override
    public String toString() {
        return "LeaderScheduler[role=" + host.role() + ", tasks=" + tasks.keySet() + "]";
    }
}
