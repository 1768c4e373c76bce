package dev.tenure.cli;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a candidate waits for leadership. Either a term begins or the waiting is given up, never both. Thread-safe.
 */
final class Patience {
    private final Optional<Duration> most;
    private long since = System.nanoTime();
    private boolean leading;
    private boolean over;

    /**
     * Begins to wait.
     *
     * @param most none: for ever
     */
    Patience(Optional<Duration> most) {
        this.most = most;
    }

    /**
     * Leads from now on, unless the waiting was given up.
     *
     * @return whether it leads
     */
    synchronized boolean beginTerm() {
        leading = !over;
        return leading;
    }

    /**
     * Waits anew.
     */
    synchronized void endTerm() {
        leading = false;
        since = System.nanoTime();
    }

    /**
     * No further term.
     */
    synchronized void end() {
        over = true;
    }

    /**
     * When to ask again; zero or less: now.
     */
    synchronized Duration left() {
        Duration waited = leading ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
        return most.orElse(Duration.ofDays(1)).minus(waited);
    }

    /**
     * Waits no longer, if it has waited long enough.
     *
     * @return whether the time has passed without a term; then there will be none
     */
    synchronized boolean giveUp() {
        boolean passed = most.isPresent() && !leading && left().compareTo(Duration.ZERO) <= 0;
        over |= passed;
        return passed;
    }
}
