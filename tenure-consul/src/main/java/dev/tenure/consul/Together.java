package dev.tenure.consul;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Hears of more keys than have a query of their own. If they are alone in a folder, that folder is small, and its
 * reading is allowed, one query hears of all; otherwise they are read every two seconds. A folder that others use too
 * would answer with all that they have, at every change of theirs.
 */
final class Together {
    private static final int MOST_KEYS = 1_000;
    private static final int MOST_NAMES = 4 * MOST_KEYS;
    private static final int LEAST_MEMBERS = 2;
    private static final Duration POLL = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(20);

    /**
     * Others may be about to come, or have gone.
     */
    private static final long FIRST_PAUSE = Duration.ofSeconds(5).toNanos();

    private static final long LONGEST_PAUSE = Duration.ofMinutes(10).toNanos();

    private final Agent agent;
    private final Outage outage;
    private final Map<String, Watched> members = new LinkedHashMap<>();
    private final Set<String> fresh = new HashSet<>();

    /**
     * Keys that this store heard of once: others may hold them now.
     */
    private final Set<String> names = new HashSet<>();

    private @Nullable PrefixQuery query;
    private String examined = "";
    private long examineAt;
    private long pause = FIRST_PAUSE;
    private boolean reading;
    private boolean closed;

    Together(Agent agent, Outage outage) {
        this.agent = agent;
        this.outage = outage;
    }

    /**
     * From now on these, and no others.
     */
    synchronized void arrange(Collection<Watched> wanted) {
        Set<String> keys = new HashSet<>();
        for (Watched each : wanted) {
            keys.add(each.key);
            if (members.put(each.key, each) != each) {
                fresh.add(each.key);
            }
        }
        members.keySet().retainAll(keys);
        fresh.retainAll(keys);
        if (names.size() > MOST_NAMES) {
            names.clear();
        }
        if (names.addAll(keys)) {
            pause = FIRST_PAUSE;
            examineAt = Math.min(examineAt, System.nanoTime() + FIRST_PAUSE);
        }
        if (query != null && !query.folder.equals(folder())) {
            query.stop();
            query = null;
        }
        if (!reading && !members.isEmpty() && !closed && (query == null || !fresh.isEmpty())) {
            reading = true;
            agent.later(SOON, this::read);
        }
    }

    synchronized void close() {
        closed = true;
        if (query != null) {
            query.stop();
        }
        members.clear();
    }

    /**
     * All, or those that the query may have told of before they were heard.
     */
    private void read() {
        List<Watched> some = new ArrayList<>();
        String folder;
        synchronized (this) {
            members.values().stream()
                    .filter(each -> query == null || fresh.contains(each.key))
                    .forEach(some::add);
            fresh.clear();
            if (some.isEmpty()) {
                reading = false;
                return;
            }
            folder = toExamine();
        }
        List<String> keys = some.stream().map(watched -> watched.key).toList();
        CompletableFuture.completedStage(keys)
                .thenCompose(new Operations.Reads(agent, LIMIT)::all)
                .thenAccept(found -> some.forEach(each -> each.see(Optional.ofNullable(found.get(each.key)))))
                .thenCompose(done -> examine(folder))
                .whenComplete((alone, failed) -> next(folder, Boolean.TRUE.equals(alone), failed));
    }

    /**
     * The folder of all that may be asked whether they are alone in it; empty if there is none, or it is not yet time.
     */
    private String toExamine() {
        String folder = folder();
        long now = System.nanoTime();
        if (query != null || folder.isEmpty() || (folder.equals(examined) && now - examineAt < 0)) {
            return "";
        }
        examined = folder;
        examineAt = now + pause;
        pause = Math.min(2 * pause, LONGEST_PAUSE);
        return folder;
    }

    private synchronized void next(String folder, boolean alone, @Nullable Throwable failed) {
        if (failed == null) {
            outage.over();
        } else {
            outage.seen(Trouble.rootOf(failed));
        }
        if (alone && query == null && !closed && folder.equals(folder())) {
            query = new PrefixQuery(agent, outage, this, folder);
            query.start();
        }
        reading = !members.isEmpty() && (query == null || !fresh.isEmpty());
        if (reading) {
            agent.later(query == null ? BlockingQuery.spread(POLL) : SOON, this::read);
        }
    }

    /**
     * By their names alone.
     */
    private CompletionStage<Boolean> examine(String folder) {
        if (folder.isEmpty()) {
            return CompletableFuture.completedStage(false);
        }
        String rule = "key_prefix \"" + folder + "\" { policy = \"list\" }";
        return agent.call("GET", "/v1/kv/" + Paths.ofKey(folder) + "?keys", "", LIMIT, rule)
                .handle((answer, failed) -> failed == null && areAlone(Json.list(parsed(answer))));
    }

    private static @Nullable Object parsed(Agent.Answer answer) {
        try {
            return answer.status() == 200 ? Json.parse(answer.body()) : List.of();
        } catch (IOException unsound) {
            return List.of("");
        }
    }

    private synchronized boolean areAlone(Collection<?> keys) {
        return keys.size() <= MOST_KEYS && keys.stream().allMatch(key -> isKnown(String.valueOf(key)));
    }

    private boolean isKnown(String key) {
        return names.contains(key) || names.contains(ConsulStore.markedBy(key));
    }

    /**
     * The query's answer.
     *
     * @return whether anything has changed
     */
    boolean heard(PrefixQuery from, Map<String, Entry> entries) {
        List<Watched> all;
        synchronized (this) {
            if (from != query) {
                return false;
            }
            if (!areAlone(entries.keySet())) {
                leave();
            }
            all = List.copyOf(members.values());
        }
        boolean changed = false;
        for (Watched each : all) {
            changed |= each.see(Optional.ofNullable(entries.get(each.key)));
        }
        return changed;
    }

    synchronized void unheard(PrefixQuery from, boolean forbidden) {
        if (from == query && forbidden) {
            leave();
        }
    }

    /**
     * Reads them instead.
     */
    private void leave() {
        if (query != null) {
            query.stop();
            query = null;
        }
        if (!reading && !members.isEmpty()) {
            reading = true;
            agent.later(SOON, this::read);
        }
    }

    /**
     * In which all of them are; empty if there is none.
     */
    private String folder() {
        if (members.size() < LEAST_MEMBERS) {
            return "";
        }
        String common = null;
        for (String key : members.keySet()) {
            common = common == null ? key : commonPrefix(common, key);
        }
        String folder = common == null ? "" : common.substring(0, common.lastIndexOf('/') + 1);
        return folder.isEmpty() || !Paths.isPath(folder.substring(0, folder.length() - 1)) ? "" : folder;
    }

    private static String commonPrefix(String one, String other) {
        int most = Math.min(one.length(), other.length());
        int same = 0;
        while (same < most && one.charAt(same) == other.charAt(same)) {
            same++;
        }
        return one.substring(0, same);
    }
}
