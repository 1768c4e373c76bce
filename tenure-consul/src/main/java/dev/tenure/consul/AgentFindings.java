package dev.tenure.consul;

import dev.tenure.spi.Finding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an agent and its servers are, and what their settings may do to elections.
 */
final class AgentFindings {
    private static final int OLDEST = 108; // 1.8
    private static final int FEWEST_CONNECTIONS = 20;

    private final @Nullable Object self;

    private AgentFindings(@Nullable Object self) {
        this.self = self;
    }

    /**
     * @param self what the agent tells about itself, as JSON
     */
    static List<Finding> of(@Nullable Object self) {
        AgentFindings own = new AgentFindings(self);
        List<Finding> findings = new ArrayList<>(List.of(own.version()));
        if (own.setting("DataDir") instanceof String folder) {
            findings.add(own.persistence(folder));
        }
        if (own.setting("HTTPMaxConnsPerClient") instanceof Number most) {
            findings.add(connections(most.longValue()));
        }
        return findings;
    }

    /**
     * The agent does not tell it to everybody.
     */
    static Finding untold() {
        return Finding.unknown(
                "agent",
                "version, data_dir and limits are not told: the token lacks agent_prefix \"\" { policy = \"read\" }",
                "agent_prefix \"\" { policy = \"read\" } in a policy of the token; elections do without");
    }

    private @Nullable Object setting(String name) {
        return Json.field(Json.field(self, "DebugConfig"), name);
    }

    private boolean isServer() {
        return Boolean.TRUE.equals(Json.field(Json.field(self, "Config"), "Server"));
    }

    private Finding version() {
        Object config = Json.field(self, "Config");
        String version = Json.text(config, "Version");
        String seen = "consul " + version + ", " + (isServer() ? "server " : "client ") + Json.text(config, "NodeName")
                + " of " + Json.text(config, "Datacenter");
        String[] parts = version.split("\\.", -1);
        boolean readable = parts.length > 1 && parts[0].matches("\\d{1,3}") && parts[1].matches("\\d{1,2}");
        if (readable && Integer.parseInt(parts[0]) * 100 + Integer.parseInt(parts[1]) < OLDEST) {
            return Finding.problem(
                    "agent",
                    seen,
                    "Tenure is tested from Consul 1.8 on; what it and an older one do together is not known",
                    "Consul 1.8 or newer, on servers and clients");
        }
        return Finding.ok("agent", seen);
    }

    private Finding persistence(String folder) {
        if (Boolean.TRUE.equals(setting("DevMode"))) {
            return Finding.advice(
                    "persistence",
                    "development mode: all is in memory",
                    "a restart forgets sessions, keys and indexes: leaders stand down at their next renewal, and since"
                            + " tokens begin again, whoever saw those of before refuses to lead (FENCING_REGRESSED)"
                            + " until an operator accepts it",
                    "servers with a data_dir; or, after each restart, tenure fence accept");
        }
        return Finding.ok(
                "persistence", isServer() ? "data_dir " + folder : "a client keeps nothing that elections need");
    }

    private static Finding connections(long most) {
        String subject = "http_max_conns_per_client";
        String seen = most == 0 ? "0 (unlimited)" : Long.toString(most);
        return most == 0 || most >= FEWEST_CONNECTIONS
                ? Finding.ok(subject, seen)
                : Finding.advice(
                        subject,
                        seen,
                        "a process opens about eight connections, and all processes of one address count together: those"
                                + " beyond the limit are closed, so that renewals fail and leaders stand down at their"
                                + " deadline",
                        "limits { http_max_conns_per_client = 200 } in the agent's configuration, as it is by default");
    }

    /**
     * @param peers the addresses of the servers, as JSON
     */
    static Finding servers(@Nullable Object peers) {
        int count = Json.list(peers).size();
        if (count == 0) {
            return Finding.unknown("servers", "not told", "");
        }
        if (count == 1) {
            return Finding.advice(
                    "servers",
                    "1",
                    "while it restarts or is lost nothing is granted or renewed: leaders stand down at their deadline,"
                            + " nobody follows",
                    "three servers, on machines that do not fail together");
        }
        int lost = (count - 1) / 2;
        String seen = count + ", of which " + lost + " may be lost";
        return count % 2 == 1
                ? Finding.ok("servers", seen)
                : Finding.advice(
                        "servers",
                        seen,
                        "no more may be lost than of " + (count - 1) + ", and two halves that are cut off from each"
                                + " other elect nobody",
                        "an odd number: " + (count + 1) + ", or " + Math.max(3, count - 1));
    }

    /**
     * @param leader where the cluster's leader is; empty if there is none
     */
    static Finding leader(String leader) {
        return leader.isEmpty() ? noLeader("none") : Finding.ok("leader", leader);
    }

    /**
     * The agent does not know of one.
     */
    static Finding noLeader(String seen) {
        return Finding.problem(
                "leader",
                seen,
                "every request is refused (No cluster leader): leaders stand down at their deadline and nobody follows",
                "consul operator raft list-peers and consul members on a server say what is missing: a majority of the"
                        + " servers has to run and to reach each other; just after a start it takes some seconds");
    }
}
