package dev.tenure.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an instance announces: fixed, and as its suppliers say at each acquisition. One that does not answer soon is left
 * out: what it gave last is used.
 */
final class Metadata extends Timed {

    /**
     * What is done with it, on the loop.
     */
    @FunctionalInterface
    interface Use {
        void of(Map<String, String> metadata);
    }

    /**
     * @param until when it waits no longer
     */
    private record Waiter(Participant reader, Use use, long until) {}

    private final Map<String, String> fixed;
    private final List<Supplied> supplied;
    private final ElectionLoop loop;
    private final Users users;
    private final List<Waiter> waiting = new ArrayList<>();

    Metadata(Map<String, String> fixed, List<Supplier<Map<String, String>>> suppliers, ElectionLoop loop, Users users) {
        super(-2);
        this.fixed = fixed;
        this.supplied = suppliers.stream().map(Supplied::new).toList();
        this.loop = loop;
        this.users = users;
    }

    /**
     * Gives the present metadata to {@code use}, on the loop; at once if there is nothing to wait for, and always within
     * a quarter of the reader's time limit for calls.
     */
    void read(Participant reader, Use use) {
        long now = loop.time().now();
        for (Supplied each : supplied) {
            if (each.begins(now)) {
                ask(each, reader);
            }
        }
        long until = Math.min(awaitedUntil(), now + reader.timing().call() / 4);
        waiting.add(new Waiter(reader, use, until));
        serve();
    }

    private void ask(Supplied asked, Participant reader) {
        users.run(
                null,
                () -> {
                    Map<String, String> read = asked.ask();
                    loop.post(() -> gave(asked, reader, read));
                },
                thrown -> loop.post(() -> {
                    asked.threw(reader, thrown);
                    serve();
                }));
    }

    private void gave(Supplied asked, Participant reader, Map<String, String> read) {
        int size = Settings.size(all(asked, read));
        if (size > Settings.LONGEST_METADATA) {
            asked.gaveTooMuch(reader, size);
        } else {
            asked.gave(read);
        }
        serve();
    }

    @Override
    void tick() {
        serve();
    }

    /**
     * Those who have waited long enough, or have nothing to wait for.
     */
    private void serve() {
        long now = loop.time().now();
        long awaitedUntil = awaitedUntil();
        List<Waiter> served = waiting.stream()
                .filter(waiter -> waiter.until() <= now || awaitedUntil <= now)
                .toList();
        waiting.removeAll(served);
        loop.schedule(this, waiting.stream().mapToLong(Waiter::until).min().orElse(Time.NEVER));
        for (Waiter waiter : served) {
            supplied.forEach(each -> each.leftOut(waiter.reader(), now));
            waiter.use().of(all(null, Map.of()));
        }
    }

    private long awaitedUntil() {
        return supplied.stream().mapToLong(Supplied::awaitedUntil).max().orElse(Long.MIN_VALUE);
    }

    /**
     * All of it, with what one of the suppliers has just given.
     */
    private Map<String, String> all(@Nullable Supplied one, Map<String, String> given) {
        Map<String, String> all = new HashMap<>(fixed);
        supplied.forEach(each -> all.putAll(each.equals(one) ? given : each.last()));
        return Map.copyOf(all);
    }
}
