package dev.tenure.redis;

import dev.tenure.StoreException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.Claim;
import dev.tenure.spi.RenewResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Renewals that fall due together, in as few scripts as can be: up to a hundred claims each, on a Cluster those of one
 * slot.
 */
final class Renewals {
    /**
     * So few that a script stays well under a millisecond.
     */
    static final int MOST = 100;

    private final Scripts scripts;
    private final Keys keys;
    private final boolean cluster;

    Renewals(Scripts scripts, Keys keys, boolean cluster) {
        this.scripts = scripts;
        this.keys = keys;
        this.cluster = cluster;
    }

    private record One(Claim claim, String record, CompletableFuture<RenewResult> answer) {}

    /**
     * A stage for each claim, at its index.
     */
    List<CompletionStage<RenewResult>> send(List<Claim> claims) {
        List<CompletionStage<RenewResult>> answers = new ArrayList<>(claims.size());
        Map<Integer, List<One>> groups = new LinkedHashMap<>();
        for (Claim claim : claims) {
            CompletableFuture<RenewResult> answer = new CompletableFuture<>();
            answers.add(answer);
            try {
                String record = keys.record(claim.key());
                int slot = cluster ? Slots.of(record) : 0;
                groups.computeIfAbsent(slot, s -> new ArrayList<>()).add(new One(claim, record, answer));
            } catch (StoreException refused) {
                answer.completeExceptionally(refused);
            }
        }
        groups.values().forEach(this::sendGroup);
        return answers;
    }

    private void sendGroup(List<One> group) {
        for (int from = 0; from < group.size(); from += MOST) {
            sendBatch(group.subList(from, Math.min(group.size(), from + MOST)));
        }
    }

    private void sendBatch(List<One> batch) {
        List<String> records = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        Duration limit = batch.get(0).claim().timeLimit();
        for (One one : batch) {
            records.add(one.record());
            arguments.add(one.claim().holder().incarnation());
            arguments.add(Long.toString(one.claim().token()));
            arguments.add(RedisStore.millis(one.claim().lease()));
        }
        scripts.run(Script.RENEW, records, arguments, limit)
                .whenComplete((answers, failed) -> complete(batch, answers, failed));
    }

    private static void complete(List<One> batch, @Nullable List<Object> answers, @Nullable Throwable failed) {
        for (int i = 0; i < batch.size(); i++) {
            CompletableFuture<RenewResult> answer = batch.get(i).answer();
            if (answers == null || i >= answers.size()) {
                answer.completeExceptionally(
                        failed == null
                                ? new StoreUnavailableException("renewal without an answer", null)
                                : Trouble.rootOf(failed));
                continue;
            }
            try {
                answer.complete(Answers.renewed(batch.get(i).record(), answers.get(i)));
            } catch (StoreException unknown) {
                answer.completeExceptionally(unknown);
            }
        }
    }
}
