package dev.tenure.redis;

import dev.tenure.spi.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a server is, and what its settings may do to elections.
 */
final class ServerFindings {
    private static final int OLDEST = 602; // 6.2

    private final ServerFacts facts;
    private final boolean counter;
    private final boolean asCluster;

    private ServerFindings(ServerFacts facts, boolean counter, boolean asCluster) {
        this.facts = facts;
        this.counter = counter;
        this.asCluster = asCluster;
    }

    /**
     * @param counter tokens are counted
     * @param asCluster the store's URL says so
     */
    static List<Finding> of(ServerFacts facts, boolean counter, boolean asCluster) {
        ServerFindings own = new ServerFindings(facts, counter, asCluster);
        if (facts.get("role").isEmpty()) {
            return List.of(Finding.unknown(
                    "server",
                    "version, role, memory, persistence and replicas " + facts.refusal("info"),
                    facts.remedy("info")));
        }
        List<Finding> findings = new ArrayList<>(List.of(own.version(), own.role()));
        if (facts.is("cluster_enabled", "1")) {
            findings.add(own.cluster());
        }
        findings.add(own.memory());
        findings.add(own.persistence());
        findings.add(own.replicas());
        return findings;
    }

    private Finding version() {
        String seen = facts.get("server_name").orElse("redis").toLowerCase(Locale.ROOT);
        String version = facts.get("redis_version").orElse("");
        String shown = seen + " " + facts.get(seen + "_version").orElse(version);
        String[] parts = version.split("\\.", -1);
        boolean readable = parts.length > 1 && parts[0].matches("\\d{1,3}") && parts[1].matches("\\d{1,2}");
        if (readable && Integer.parseInt(parts[0]) * 100 + Integer.parseInt(parts[1]) < OLDEST) {
            return Finding.problem(
                    "server",
                    shown,
                    "Tenure's scripts are tested from Redis 6.2 on; what an older one does with them is not known",
                    "Redis 6.2 or newer, or Valkey");
        }
        return Finding.ok("server", shown);
    }

    private Finding role() {
        if (!facts.is("role", "slave")) {
            return Finding.ok("role", "master");
        }
        return Finding.problem(
                "role",
                "replica of " + facts.get("master_host").orElse("?") + ":"
                        + facts.get("master_port").orElse("?"),
                "it takes no writes: nobody is elected through this address, and whoever leads by it stands down",
                "the master's address in the URL, or redis-sentinel:// or redis-cluster://, which follow it");
    }

    private Finding cluster() {
        if (!asCluster) {
            return Finding.problem(
                    "cluster",
                    "one node of a Cluster",
                    "it keeps a part of the keys only and sends clients elsewhere for the rest (MOVED)",
                    "redis-cluster:// in the URL");
        }
        String state = facts.get("cluster_state").orElse("unknown");
        String seen =
                "cluster_state " + state + ", " + facts.get("cluster_slots_ok").orElse("?") + " slots served";
        return state.equals("fail")
                ? Finding.problem(
                        "cluster",
                        seen,
                        "requests are refused (CLUSTERDOWN): leaders stand down at their deadline and nobody follows",
                        "CLUSTER NODES says which nodes are missing")
                : Finding.ok("cluster", seen);
    }

    private Finding memory() {
        String policy = facts.get("maxmemory_policy").orElse("unknown");
        long most = facts.number("maxmemory");
        String seen = policy + ", maxmemory "
                + (most == 0 ? "0 (unlimited)" : megabytes(most) + ", used " + megabytes(facts.number("used_memory")));
        String subject = "maxmemory-policy";
        if (policy.equals("noeviction")) {
            return most == 0
                    ? Finding.ok(subject, seen)
                    : Finding.advice(
                            subject,
                            seen,
                            "when memory is full nobody new is elected (OOM); who leads goes on, renewals need none",
                            "an alarm on used_memory, or a server of its own for elections");
        }
        String evicts = policy.startsWith("allkeys")
                ? "a leader's record is evicted, so that another leads at once while the first believes until its next"
                        + " renewal; and a counter, after which tokens " + afterLoss()
                : "a leader's record is evicted, since it has a TTL, so that another leads at once while the first"
                        + " believes until its next renewal; counters have no TTL and stay";
        String toDo = "CONFIG SET maxmemory-policy noeviction, and in its configuration; or a server of its own for"
                + " elections";
        return most == 0
                ? Finding.advice(
                        subject, seen, "nothing is evicted yet; once maxmemory is set and full, " + evicts, toDo)
                : Finding.problem(subject, seen, "when memory is full, " + evicts, toDo);
    }

    private String afterLoss() {
        return counter ? "begin again and repeat" : "rest on the server's clock alone";
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / 1_048_576.0);
    }

    private Finding persistence() {
        String subject = "persistence";
        boolean log = facts.is("aof_enabled", "1");
        String setting = log ? "appendfsync" : "save";
        String value = facts.get(setting).orElse(null);
        String seen = "appendonly " + (log ? "yes" : "no") + ", " + setting + " "
                + (value == null ? facts.refusal("config|get") : value.isEmpty() ? "\"\"" : value);
        if (value == null) {
            return Finding.unknown(subject, seen, facts.remedy("config|get"));
        }
        if (log && value.equals("always")) {
            return Finding.ok(subject, seen);
        }
        String free = " come free at once, while their leaders believe until their next renewal";
        if (log) {
            String lost = value.equals("everysec") ? "a second or two" : "half a minute";
            return Finding.advice(
                    subject,
                    seen,
                    "a crash of the whole machine loses the last " + lost + ": roles granted in it" + free,
                    "appendfsync always, if that is not to happen; a fence makes it harmless");
        }
        String what = value.isEmpty()
                ? "a restart forgets everything: all roles" + free + "; tokens " + afterLoss()
                : "a crash goes back to the last snapshot: roles granted since" + free + "; their tokens "
                        + (counter ? "repeat" : "rest on the server's clock alone");
        String toDo = "appendonly yes";
        return counter ? Finding.problem(subject, seen, what, toDo) : Finding.advice(subject, seen, what, toDo);
    }

    private Finding replicas() {
        String subject = "min-replicas-to-write";
        long replicas = facts.number("connected_slaves");
        boolean told = facts.get(subject).isPresent();
        long good = facts.number("min_slaves_good_slaves");
        boolean demands =
                facts.get("min_slaves_good_slaves").isPresent(); // told by INFO while both settings are above 0
        long demanded = told ? facts.number(subject) : 1;
        String seen = (demands ? (told ? demanded : "set") : "0") + ", replicas " + replicas;
        if (demands && good < demanded) {
            return Finding.problem(
                    subject,
                    seen + ", of which " + good + " are up to date",
                    "every grant and renewal is refused (NOREPLICAS): leaders stand down at their deadline and nobody"
                            + " follows",
                    "bring the replicas back, or CONFIG SET min-replicas-to-write to what there is");
        }
        if (demands) {
            String lag = facts.get("min-replicas-max-lag")
                    .map(s -> ", lag at most " + s + " s")
                    .orElse("");
            return Finding.ok(subject, seen + lag);
        }
        return replicas == 0
                ? Finding.ok(subject, seen)
                : Finding.advice(
                        subject,
                        seen,
                        "a failover loses grants that no replica had yet, and a master that is cut off grants on: two"
                                + " leaders until the first one's next renewal",
                        "CONFIG SET min-replicas-to-write 1 and min-replicas-max-lag 10 on master and replicas, and in"
                                + " their configuration");
    }
}
