package dev.tenure.cli;

import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Leader work that is a command: runs it in each term until it ends by itself, or ends it when the term does.
 */
final class LeaderCommand implements LeaderWork {
    /**
     * What runs and how it is ended.
     *
     * @param graceAtEof between SIGTERM and SIGKILL when tenure itself is gone and renews nothing
     * @param once whether a loss is the end
     */
    record Plan(List<String> command, String candidate, Duration grace, Duration graceAtEof, boolean once) {}

    private static final int CANNOT_START = 126;

    /**
     * How late this work sees an end that the engine does not tell: after a freeze, it wakes as early as the engine.
     */
    private static final long LOOK_MILLIS = 50;

    private final Plan plan;
    private final TermEvents events;
    private final Patience patience;
    private final Consumer<String> people;
    private final CompletableFuture<Integer> outcome = new CompletableFuture<>();

    LeaderCommand(Plan plan, TermEvents events, Patience patience, Consumer<String> people) {
        this.plan = plan;
        this.events = events;
        this.patience = patience;
        this.people = people;
    }

    /**
     * Waits until the command ended by itself, a loss was the end, or patience is over.
     *
     * @return the exit code
     */
    int await() throws InterruptedException {
        while (true) {
            try {
                return outcome.get(Math.max(1, patience.left().toMillis()), TimeUnit.MILLISECONDS);
            } catch (TimeoutException waited) {
                if (patience.giveUp()) {
                    people.accept("did not lead within --wait");
                    return CommandFailure.NOT_LED;
                }
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    @Override
    public void lead(Lease lease) {
        if (!patience.beginTerm()) {
            return;
        }
        try {
            events.elected(lease);
            run(lease);
        } finally {
            patience.endTerm();
        }
    }

    private void run(Lease lease) {
        try (ProcessGroup group =
                ProcessGroup.start(plan.command(), environment(lease), ProcessGroup.Input.NULL, plan.graceAtEof())) {
            events.commandStarted(lease, group.leader().pid());
            if (endsByItself(group.leader(), lease)) {
                int code = group.leader().exitValue();
                boolean killed = group.end(plan.grace()); // what it left behind
                events.commandExited(lease, code, killed);
                finish(lease, code);
            } else {
                stop(lease, group);
            }
        } catch (IOException cannot) {
            people.accept("the command cannot be started: " + Text.reason(cannot));
            finish(lease, CANNOT_START);
        }
    }

    private Map<String, String> environment(Lease lease) {
        return Map.of(
                "TENURE_ROLE", lease.role(),
                "TENURE_FENCING_TOKEN", Long.toString(lease.fencingToken().value()),
                "TENURE_TERM", Long.toString(lease.term()),
                "TENURE_NAME", plan.candidate());
    }

    private static boolean endsByItself(Process command, Lease lease) {
        while (true) {
            try {
                if (command.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            } catch (InterruptedException termEnds) {
                // isHeld says whether it is true
            }
            if (!lease.isHeld()) {
                return false;
            }
        }
    }

    private void stop(Lease lease, ProcessGroup group) {
        events.lost(lease);
        boolean killed = group.end(plan.grace());
        events.commandExited(lease, group.leader().exitValue(), killed);
        boolean lost = lease.lossReason().map(reason -> !reason.isVoluntary()).orElse(true);
        if (lost && plan.once()) {
            finish(lease, CommandFailure.NOT_LED);
        }
    }

    /**
     * This term was the last; whoever waits is told when its lease is over, so that nobody is kept waiting for it.
     */
    private void finish(Lease lease, int code) {
        patience.end();
        events.noFurtherTerm();
        lease.lapsed().whenComplete((over, error) -> outcome.complete(code));
    }
}
