package dev.tenure.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What all nodes said, and what was done to them. Thread-safe.
 */
final class DemoHistory {
    /**
     * What ends a term.
     */
    enum Fault {
        HAND_OVER("hand-over"),
        KILL("SIGKILL"),
        FREEZE("SIGSTOP"),
        CUT("cut off");

        final String title;

        Fault(String title) {
            this.title = title;
        }
    }

    /**
     * A term, from the report of its election to that of its loss, or to when its process was killed or frozen.
     */
    private record Term(String node, long token, long from, long to) {}

    private final Duration patience;
    private final List<DemoEvent> events = new ArrayList<>();
    private final Map<Long, Long> forcedEnds = new HashMap<>();
    private final Set<String> doomed = new HashSet<>();
    private final Map<Fault, LongSummaryStatistics> takeOvers = new EnumMap<>(Fault.class);

    /**
     * @param patience how long an event is waited for
     */
    DemoHistory(Duration patience) {
        this.patience = patience;
    }

    synchronized void add(DemoEvent event) {
        events.add(event);
        notifyAll();
    }

    /**
     * The first event of its kind, past or to come.
     *
     * @throws CommandFailure if it does not come, or a node ends that was not told to
     */
    synchronized DemoEvent await(String what, Predicate<DemoEvent> wanted) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        int seen = 0;
        while (true) {
            for (; seen < events.size(); seen++) {
                DemoEvent event = events.get(seen);
                if (wanted.test(event)) {
                    return event;
                }
                if (event.is("ended") && !doomed.contains(event.node())) {
                    throw CommandFailure.unusable("process " + event.node() + " ended while waiting for " + what);
                }
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw CommandFailure.unusable("waited " + patience.toSeconds() + "s for " + what + ", in vain");
            }
            wait(left);
        }
    }

    /**
     * The election of whoever leads and has written, waited for.
     */
    DemoEvent awaitLeader() throws InterruptedException {
        DemoEvent writes = await("a leader that writes", event -> event.is("writes") && !isOver(event));
        return await("its election", event -> event.is("elected") && event.token() == writes.token());
    }

    private synchronized boolean isOver(DemoEvent ofTerm) {
        return forcedEnds.containsKey(ofTerm.token()) || has("lost", ofTerm.token());
    }

    private synchronized boolean has(String event, long token) {
        return events.stream().anyMatch(one -> one.is(event) && one.token() == token);
    }

    /**
     * The next election after a term.
     */
    DemoEvent awaitSuccessor(DemoEvent elected) throws InterruptedException {
        return await(
                "a successor of " + elected.node(),
                event -> event.is("elected") && event.nanos() > elected.nanos() && event.token() != elected.token());
    }

    /**
     * From here on a node says nothing about its term, or what it says comes too late.
     */
    synchronized void ends(DemoEvent elected, long nanos) {
        forcedEnds.put(elected.token(), nanos);
    }

    /**
     * A node will end, as it should.
     */
    synchronized void dooms(String node) {
        doomed.add(node);
    }

    /**
     * Another leads, so long after the old one was asked, killed, frozen or cut off.
     */
    synchronized void tookOver(Fault fault, long from, DemoEvent successor) {
        takeOvers
                .computeIfAbsent(fault, kind -> new LongSummaryStatistics())
                .accept(TimeUnit.NANOSECONDS.toMillis(successor.nanos() - from));
    }

    synchronized Optional<LongSummaryStatistics> takeOvers(Fault fault) {
        return Optional.ofNullable(takeOvers.get(fault));
    }

    synchronized long longestTakeOver() {
        return takeOvers.values().stream()
                .mapToLong(LongSummaryStatistics::getMax)
                .max()
                .orElse(0);
    }

    /**
     * How often a stale write was tried on both registers, by what the nodes said.
     */
    synchronized long lateWrites() {
        return events.stream().filter(event -> event.is("wrote_late")).count();
    }

    long terms() {
        return allTerms().size();
    }

    private synchronized List<Term> allTerms() {
        Map<Long, Long> lost = new HashMap<>(forcedEnds);
        events.stream()
                .filter(event -> event.is("lost"))
                .forEach(event -> lost.putIfAbsent(event.token(), event.nanos()));
        return events.stream()
                .filter(event -> event.is("elected"))
                .map(event -> new Term(
                        event.node(), event.token(), event.nanos(), lost.getOrDefault(event.token(), Long.MAX_VALUE)))
                .sorted(Comparator.comparingLong(Term::from))
                .toList();
    }

    /**
     * Two leaders at once, tokens that do not rise, a lease that is held after a freeze: none, if all is well.
     */
    synchronized List<String> violations() {
        List<String> all = new ArrayList<>();
        List<Term> terms = allTerms();
        for (int i = 1; i < terms.size(); i++) {
            Term before = terms.get(i - 1);
            Term after = terms.get(i);
            if (after.from() < before.to()) {
                String overlap = before.to() == Long.MAX_VALUE
                        ? "to the end"
                        : Text.rough(Duration.ofNanos(before.to() - after.from()));
                all.add("two leaders at once: " + before.node() + " and " + after.node() + ", " + overlap);
            }
            if (after.token() <= before.token()) {
                all.add("tokens do not rise: " + before.token() + " then " + after.token());
            }
        }
        events.stream()
                .filter(event -> event.is("wrote_late") && !event.reason().contains("held=false"))
                .forEach(event -> all.add(event.node() + " held its lease after the freeze"));
        return all;
    }
}
