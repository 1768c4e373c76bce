package dev.tenure.redis;

import dev.tenure.spi.Finding;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which rights the user lacks: each command that the scripts use, and those around them, tried on keys that nobody
 * elects on. What may be run by itself may be run in a script, and the other way round.
 */
final class Rights {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long KEPT_MILLIS = 5_000; // were the deletion not permitted

    private final Scripts scripts;
    private final Connector connector;
    private final Keys keys;
    private final String record;
    private final String counter;
    private final Set<String> lacking = new LinkedHashSet<>();
    private final Set<String> told = new HashSet<>();
    private String user = "";

    private interface Command extends Function<RedisClusterAsyncCommands<String, String>, CompletionStage<?>> {}

    /**
     * @param key nobody's
     */
    Rights(Scripts scripts, Connector connector, Keys keys, String key) {
        this.scripts = scripts;
        this.connector = connector;
        this.keys = keys;
        record = keys.record(key);
        counter = Keys.counter(record);
    }

    CompletionStage<List<Finding>> findings() {
        List<Finding> findings = new ArrayList<>();
        return name().thenCompose(named -> elections())
                .thenAccept(tried -> tell(
                        findings,
                        Finding.Severity.PROBLEM,
                        "no role is granted, or none renewed (NOPERM); the instances' health says so"))
                .thenCompose(told -> wakeUps())
                .thenAccept(tried -> tell(
                        findings,
                        Finding.Severity.ADVICE,
                        "candidates do not hear of a release: a hand-over takes up to the rest of the lease"))
                .thenCompose(told -> operators())
                .thenAccept(tried -> tell(
                        findings,
                        Finding.Severity.ADVICE,
                        "tenure status without a role, or tenure evict --force, fail"))
                .thenApply(told -> {
                    if (findings.isEmpty()) {
                        findings.add(Finding.ok("permissions", who() + " lacks none"));
                    }
                    return List.copyOf(findings);
                });
    }

    private void tell(List<Finding> findings, Finding.Severity severity, String mayHappen) {
        if (!lacking.isEmpty()) {
            String rules = String.join(" ", lacking);
            findings.add(new Finding(
                    severity,
                    "permissions",
                    who() + " lacks " + rules,
                    mayHappen,
                    "ACL SETUSER " + (user.isEmpty() ? "USER" : user) + " " + rules
                            + "; the same where its users are configured"));
            told.addAll(lacking);
            lacking.clear();
        }
    }

    private String who() {
        return user.isEmpty() ? "the user" : "user " + user;
    }

    private CompletionStage<?> name() {
        return scripts.call(PATIENCE, server -> server.aclWhoami().thenApply(name -> name))
                .handle((name, refused) -> {
                    user = refused == null ? name : user;
                    return user;
                });
    }

    private CompletionStage<?> elections() {
        String any = Script.READ.digest;
        return attempt("evalsha", server -> server.evalsha(any, ScriptOutputType.MULTI, record))
                .thenCompose(go -> attempt("eval", server -> server.eval("return 1", ScriptOutputType.INTEGER, record)))
                .thenCompose(go -> attempt("time", server -> server.time()))
                .thenCompose(go -> attempt("type", server -> server.type(record)))
                .thenCompose(go -> attempt("get", server -> server.get(counter)))
                .thenCompose(go -> attempt("pttl", server -> server.pttl(record)))
                .thenCompose(go -> attempt("hmget", server -> server.hmget(record, "v")))
                .thenCompose(go -> attempt("hdel", server -> server.hdel(record, "tenure:none")))
                .thenCompose(go -> attempt("hgetall", server -> server.hgetall(record)))
                .thenCompose(go -> attempt("pexpire", server -> server.pexpire(record, KEPT_MILLIS)))
                .thenCompose(go -> attempt("del", server -> server.del(record)))
                .thenCompose(go -> attempt("set", server -> server.set(counter, "0", SetArgs.Builder.px(KEPT_MILLIS))))
                .thenCompose(go -> writeHash())
                .thenCompose(go -> scripts.call(
                        PATIENCE, server -> server.del(record, counter).thenApply(done -> done)))
                .handle((deleted, refused) -> deleted);
    }

    /**
     * Over a text, where it is refused for that. A hash that could not be deleted is not made: then the right counts as
     * lacking beside the two others.
     */
    private CompletionStage<?> writeHash() {
        boolean text = !lacking.contains("+set");
        if (!text && lacking.contains("+del")) {
            lacking.add("+hset");
            return CompletableFuture.completedStage(user);
        }
        return attempt("hset", server -> server.hset(text ? counter : record, "v", "1"));
    }

    private CompletionStage<?> wakeUps() {
        return attempt("publish", server -> server.publish(keys.channel(), ""))
                .thenCompose(go -> connector.connectPubSub())
                .thenCompose(this::subscribe);
    }

    private CompletionStage<?> subscribe(StatefulRedisPubSubConnection<String, String> connected) {
        return connected.async().subscribe(keys.channel()).handle((done, failed) -> {
            note("subscribe", failed);
            return connected.closeAsync();
        });
    }

    private CompletionStage<?> operators() {
        return attempt("scan", server -> server.scan(ScanArgs.Builder.limit(1)))
                .thenCompose(go -> attempt("hget", server -> server.hget(record, "v")));
    }

    private CompletionStage<?> attempt(String name, Command command) {
        return scripts.call(PATIENCE, server -> command.apply(server).thenApply(Optional::ofNullable))
                .handle((answer, failed) -> {
                    note(name, failed);
                    return name;
                });
    }

    /**
     * @throws dev.tenure.StoreException if there was no answer
     */
    private void note(String command, @Nullable Throwable failed) {
        if (failed == null) {
            return;
        }
        String answer = Trouble.answerOf(failed).orElseThrow(() -> Trouble.asStoreException(connector.where(), failed));
        if (!answer.startsWith("NOPERM")) {
            return;
        }
        String rule = answer.contains("channel")
                ? "&" + keys.channel()
                : answer.contains("access") ? "~" + keys.pattern() : "+" + command;
        if (!told.contains(rule)) {
            lacking.add(rule);
        }
    }
}
