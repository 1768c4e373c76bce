package dev.tenure.consul;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one thread that waits for each answer: for at most 3 s, and not beyond an end for all of them.
 */
final class Inquiry {
    private static final Duration ONE = Duration.ofSeconds(3);

    /**
     * Rather a few more seconds than something left behind.
     */
    private static final Duration LEAST = Duration.ofSeconds(3);

    private final Agent agent;
    private final long end;

    /**
     * @param all that calls may take together, besides cleaning up
     */
    Inquiry(Agent agent, Duration all) {
        this.agent = agent;
        end = System.nanoTime() + all.toNanos();
    }

    /**
     * The answer to a call, which is given its limit.
     *
     * @throws dev.tenure.StoreException if there is none
     */
    <T> T ask(Function<Duration, CompletionStage<T>> call) {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (left.isNegative() || left.isZero()) {
            throw agent.unavailable("the answers took too long");
        }
        return await(call, left.compareTo(ONE) < 0 ? left : ONE);
    }

    /**
     * As {@link #ask}, also after the end.
     */
    <T> T cleanUp(Function<Duration, CompletionStage<T>> call) {
        return await(call, LEAST);
    }

    private <T> T await(Function<Duration, CompletionStage<T>> call, Duration limit) {
        CompletionStage<T> answer = call.apply(limit);
        try {
            return answer.toCompletableFuture().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | CancellationException silent) { // whichever clock is first
            throw agent.unavailable("no answer in time");
        } catch (ExecutionException failed) {
            throw Trouble.unanswered(agent.where(), failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw agent.unavailable("interrupted");
        }
    }

    /**
     * With its headers, whatever its status.
     */
    HttpResponse<String> get(String path) {
        return ask(limit -> agent.hold(path, limit));
    }

    /**
     * The JSON value of an answer that is no error.
     *
     * @param rule of an ACL policy, that it needs
     */
    @Nullable
    Object json(String path, String rule) {
        Agent.Answer answer = agent.answerOf(get(path), rule);
        try {
            if (answer.status() == 200) {
                return Json.parse(answer.body());
            }
        } catch (IOException noJson) {
            // told below
        }
        throw agent.unavailable(
                "does not answer as Consul does: " + answer.status() + " " + Trouble.shortly(answer.body()));
    }
}
