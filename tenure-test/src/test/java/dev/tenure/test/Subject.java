package dev.tenure.test;

import dev.tenure.ElectionOptions;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.LossReason;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * An elector of the role {@code billing}, a double or a real one, that a test can elect and depose.
 */
interface Subject extends AutoCloseable {
    String ROLE = "billing";
    Map<String, String> METADATA = Map.of("url", "http://a");

    /**
     * What both are made with: lease 10 s, margin 1 s, so that the deadline is after 9 s.
     */
    static void options(ElectionOptions.Builder options) {
        options.lease(Duration.ofSeconds(10))
                .renewInterval(Duration.ofSeconds(3))
                .safetyMargin(Duration.ofSeconds(1))
                .retryInterval(Duration.ofSeconds(1))
                .retryJitter(Duration.ZERO)
                .drainTimeout(Duration.ofSeconds(5));
    }

    /**
     * The two kinds.
     */
    enum Kind {
        FAKE {
            @Override
            Subject open(boolean coordinated, LeaderWork work) {
                return new FakeSubject(coordinated, work);
            }
        },
        REAL {
            @Override
            Subject open(boolean coordinated, LeaderWork work) {
                return new RealSubject(coordinated, work);
            }
        };

        /**
         * @param work null for none
         */
        abstract Subject open(boolean coordinated, LeaderWork work);

        Subject open(LeaderWork work) {
            return open(true, work);
        }

        Subject open() {
            return open(true, null);
        }
    }

    LeaderElector elector();

    /**
     * Begins a term; time may pass unless it is the first.
     */
    void elect();

    /**
     * Ends it as the store or the clock would; time may pass.
     */
    void lose(LossReason reason);

    /**
     * Lets time pass without a renewal, as nobody answers.
     */
    void advance(Duration time);

    /**
     * What is due now is done.
     */
    void settle();

    /**
     * Goes on until it is so.
     */
    void until(BooleanSupplier condition);

    /**
     * For user code: takes so long, with renewals if there are any, and is interrupted.
     */
    void pass(Duration time) throws InterruptedException;

    /**
     * Calls on another thread.
     */
    <T> CompletableFuture<T> call(Callable<T> call);

    @Override
    void close();
}
