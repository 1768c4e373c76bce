package dev.tenure.consul;

import dev.tenure.StoreRejectedException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A query that Consul holds until something changes, asked again and again. Its index is Consul's: one that goes back is
 * forgotten, none is 0. Answers without a change, and changes one after another, are followed slowly.
 */
abstract class BlockingQuery {
    static final Duration WAIT = Duration.ofSeconds(15);

    /**
     * Consul adds up to a sixteenth of the wait.
     */
    static final Duration LIMIT = WAIT.plus(WAIT.dividedBy(16)).plusSeconds(10);

    private static final Duration AGAIN = Duration.ofMillis(20);
    private static final Duration UNCHANGED = Duration.ofMillis(700);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration LATER = Duration.ofSeconds(15);

    private final Agent agent;
    private final Outage outage;
    private final String path;
    private final Pace pace;
    private long index;
    private volatile boolean stopped;
    private volatile @Nullable CompletableFuture<?> held;

    /**
     * @param path without wait and index
     */
    BlockingQuery(Agent agent, Outage outage, String path, Pace pace) {
        this.agent = agent;
        this.outage = outage;
        this.path = path;
        this.pace = pace;
    }

    /**
     * Of an ACL policy, that it needs.
     */
    abstract String rule();

    /**
     * Whether anything has changed.
     *
     * @throws dev.tenure.StoreException if the answer is unusable
     */
    abstract boolean answered(Agent.Answer answer);

    /**
     * There may have been changes that are not heard of.
     *
     * @param forbidden the agent refuses to tell
     */
    abstract void interrupted(boolean forbidden);

    /**
     * Whether to ask again; one that is not wanted ends. Consul keeps what was cancelled until its wait is over.
     */
    boolean isWanted() {
        return true;
    }

    /**
     * At once, on a thread of the agent's.
     */
    final void start() {
        agent.later(Duration.ZERO, this::ask);
    }

    final void stop() {
        stopped = true;
        CompletableFuture<?> present = held;
        if (present != null) {
            present.cancel(true);
        }
    }

    private void ask() {
        if (stopped || !isWanted()) {
            return;
        }
        String wait = index == 0
                ? ""
                : (path.contains("?") ? "&" : "?") + "wait=" + WAIT.toSeconds() + "s&index="
                        + Long.toUnsignedString(index);
        CompletableFuture<HttpResponse<String>> request = agent.hold(path + wait, LIMIT);
        held = request;
        if (stopped) {
            request.cancel(true);
        }
        request.whenComplete((response, failed) -> {
            if (!stopped) {
                agent.later(spread(next(response, failed)), this::ask);
            }
        });
    }

    /**
     * How long to wait.
     */
    private Duration next(@Nullable HttpResponse<String> response, @Nullable Throwable failed) {
        try {
            if (failed != null) {
                throw Trouble.unanswered(agent.where(), failed);
            }
            if (response == null) {
                throw agent.unavailable("no answer");
            }
            Agent.Answer answer = agent.answerOf(response, rule());
            boolean back = Long.compareUnsigned(answer.index(), index) < 0;
            index = back ? 0 : answer.index() == 0 ? 1 : answer.index();
            boolean changed = answered(answer);
            outage.over();
            Duration least = changed || back ? AGAIN : UNCHANGED;
            Duration turn = pace.next(System.nanoTime());
            return turn.compareTo(least) > 0 ? turn : least;
        } catch (Throwable unusable) { // whatever it is, the query goes on
            boolean forbidden = unusable instanceof StoreRejectedException;
            index = 0;
            interrupted(forbidden);
            outage.seen(unusable);
            return forbidden ? LATER : RETRY;
        }
    }

    /**
     * Up to a fifth longer.
     */
    static Duration spread(Duration least) {
        return least.plusNanos(ThreadLocalRandom.current().nextLong(least.toNanos() / 5 + 1));
    }
}
