package dev.tenure.consul;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Three servers with Raft between them, that keep what they know over a restart. Each can be killed, paused and cut off
 * from the others.
 */
final class ConsulCluster implements AutoCloseable {
    private static final int SERVERS = 3;

    /** For an election on a busy machine, and for servers that have to find each other again. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final ClusterNetwork network = new ClusterNetwork(SERVERS);
    private final List<ConsulAgent> servers = new ArrayList<>();

    /**
     * @param raftMultiplier how slowly a dead Raft leader is noticed: 1 is fastest, 5 is Consul's own default
     */
    ConsulCluster(int raftMultiplier) {
        Path data;
        try {
            data = Undertaker.folder(network.rpcPort());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        List<String> others = IntStream.range(0, SERVERS).mapToObj(this::gossip).toList();
        for (int i = 0; i < SERVERS; i++) {
            List<String> arguments = new ArrayList<>(List.of("-server", "-bootstrap-expect", "" + SERVERS));
            arguments.addAll(List.of(
                    "-node", "server-" + i, "-data-dir", data.resolve("" + i).toString()));
            arguments.addAll(List.of("-bind", network.inner(i), "-advertise", network.outer(i)));
            arguments.addAll(List.of("-server-port", "" + network.rpcPort()));
            arguments.addAll(List.of("-serf-lan-port", "" + network.gossipPort(), "-serf-wan-port", "-1"));
            others.forEach(other -> arguments.addAll(List.of("-retry-join", other)));
            String config = "performance { raft_multiplier = " + raftMultiplier + " }\n"
                    + "autopilot { cleanup_dead_servers = false }\n"
                    + "retry_interval = \"1s\"\n"
                    + "disable_update_check = true\n";
            servers.add(new ConsulAgent(Ports.free(), arguments, config, ""));
        }
    }

    private String gossip(int server) {
        return network.outer(server) + ":" + network.gossipPort();
    }

    List<ConsulAgent> servers() {
        return servers;
    }

    ConsulAgent server(int number) {
        return servers.get(number);
    }

    /**
     * Runs whatever does not, ends every cut, and waits until each server serves.
     */
    ConsulCluster settle() {
        network.heal();
        servers.forEach(ConsulAgent::resume);
        servers.forEach(ConsulAgent::launch);
        Eventually.becomes("three that serve", PATIENCE, () -> {
            if (servers.stream().anyMatch(server -> !server.isRunning())) {
                throw new IllegalStateException(log());
            }
            meetAgain();
            return servers.stream().map(this::leaderAt).distinct().count() == 1
                    && leaderAt(server(0)).isPresent()
                    && isServing();
        });
        return this;
    }

    /**
     * Those that held each other for dead would try again by themselves, but only every half a minute.
     */
    private void meetAgain() throws IOException {
        for (ConsulAgent server : servers) {
            for (int other = 0; other < SERVERS; other++) {
                server.askSoon("PUT", "/v1/agent/join/" + gossip(other), "");
            }
        }
    }

    private boolean isServing() throws IOException {
        for (ConsulAgent server : servers) {
            if (!server.isLed()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whom more than half of the servers name as the leader of Raft, itself among them.
     */
    Optional<ConsulAgent> leader() {
        Map<ConsulAgent, Integer> votes = new HashMap<>();
        for (ConsulAgent server : servers) {
            leaderAt(server).ifPresent(leader -> votes.merge(leader, 1, Integer::sum));
        }
        return servers.stream()
                .filter(server -> votes.getOrDefault(server, 0) > SERVERS / 2)
                .filter(server -> leaderAt(server).equals(Optional.of(server)))
                .findFirst();
    }

    /**
     * Whom this server names.
     */
    private Optional<ConsulAgent> leaderAt(ConsulAgent server) {
        if (!server.isRunning() || server.isPaused()) {
            return Optional.empty();
        }
        try {
            String address = String.valueOf(
                    Json.parse(server.askSoon("GET", "/v1/status/leader", "").body()));
            return IntStream.range(0, SERVERS)
                    .filter(i -> address.equals(network.outer(i) + ":" + network.rpcPort()))
                    .mapToObj(servers::get)
                    .findFirst();
        } catch (IOException starting) {
            return Optional.empty();
        }
    }

    ConsulAgent awaitLeader() {
        Eventually.becomes("a leader of Raft", PATIENCE, () -> leader().isPresent());
        return leader().orElseThrow();
    }

    /**
     * Once it can write.
     */
    ConsulAgent awaitOther(ConsulAgent old) {
        Eventually.becomes(
                "another leader of Raft",
                PATIENCE,
                () -> leader().isPresent()
                        && leader().orElseThrow() != old
                        && leader().orElseThrow().isLed());
        return leader().orElseThrow();
    }

    List<ConsulAgent> others(ConsulAgent than) {
        return servers.stream().filter(server -> server != than).toList();
    }

    /**
     * Neither hears of the others nor is heard by them; its clients reach it.
     */
    void cut(ConsulAgent server) {
        network.cut(servers.indexOf(server));
    }

    String log() {
        StringBuilder all = new StringBuilder();
        servers.forEach(
                server -> all.append(server).append(":\n").append(server.log()).append('\n'));
        return all.toString();
    }

    @Override
    public void close() {
        servers.forEach(ConsulAgent::close);
        network.close();
    }
}
