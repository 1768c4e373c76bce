package dev.tenure.redis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Three masters and three replicas; a node counts as failed after one second.
 */
final class RedisCluster implements AutoCloseable {
    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;
    private static final String MIGRATION_MILLIS = "60000";

    /**
     * A failover that was begun is given up after five seconds, and is not tried again by itself.
     */
    private static final long ORDER_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final List<RedisNode> nodes = new ArrayList<>();

    /**
     * @param config lines of {@code redis.conf} for all nodes
     */
    RedisCluster(String... config) {
        String[] lines = Stream.concat(
                        Stream.of(
                                "cluster-enabled yes",
                                "cluster-node-timeout 5000",
                                "cluster-announce-ip 127.0.0.1",
                                "cluster-allow-replica-migration no",
                                "repl-diskless-sync-delay 0"),
                        Stream.of(config))
                .toArray(String[]::new);
        for (int i = 0; i < 2 * MASTERS; i++) {
            nodes.add(new RedisNode(lines));
        }
        nodes.forEach(RedisNode::launch);
        nodes.forEach(RedisNode::start);
        join();
        heal();
    }

    private void join() {
        for (int i = 0; i < nodes.size(); i++) {
            RedisNode node = nodes.get(i);
            node.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            if (i > 0) {
                node.command(
                        "CLUSTER",
                        "MEET",
                        "127.0.0.1",
                        Integer.toString(nodes.get(0).port()));
            }
            if (i < MASTERS) {
                int first = SLOTS * i / MASTERS;
                int last = SLOTS * (i + 1) / MASTERS - 1;
                node.command("CLUSTER", "ADDSLOTSRANGE", Integer.toString(first), Integer.toString(last));
            }
        }
        for (int i = MASTERS; i < nodes.size(); i++) {
            RedisNode replica = nodes.get(i);
            String master = id(nodes.get(i - MASTERS));
            Eventually.becomes(replica + " joins", () -> "OK".equals(replica.command("CLUSTER", "REPLICATE", master)));
        }
    }

    String url() {
        return nodes.stream()
                .limit(MASTERS)
                .map(RedisNode::address)
                .collect(Collectors.joining(",", "redis-cluster://", ""));
    }

    List<RedisNode> nodes() {
        return nodes;
    }

    /**
     * The serving nodes that hold themselves for masters.
     */
    List<RedisNode> masters() {
        return nodes.stream()
                .filter(node -> node.serving() && self(node).isMaster())
                .toList();
    }

    int slotOf(String key) {
        RedisNode any = nodes.stream().filter(RedisNode::serving).findFirst().orElseThrow();
        return Integer.parseInt(any.command("CLUSTER", "KEYSLOT", key));
    }

    /**
     * The serving node that holds itself for the slot's master; of several, the one with the highest epoch.
     */
    RedisNode masterOf(int slot) {
        return nodes.stream()
                .filter(RedisNode::serving)
                .filter(node -> self(node).masterOf(slot))
                .max(Comparator.comparingLong(node -> self(node).epoch()))
                .orElseThrow(() -> new IllegalStateException("no serving master of slot " + slot));
    }

    List<RedisNode> replicasOf(RedisNode master) {
        String id = id(master);
        return nodes.stream()
                .filter(node -> node.serving() && self(node).master.equals(id))
                .toList();
    }

    /**
     * Gives a slot and its keys to another master, and waits until all nodes know.
     */
    void moveSlot(int slot, RedisNode from, RedisNode to) {
        beginMove(slot, from, to);
        moveKeys(slot, from, to);
        endMove(slot, from, to);
    }

    /**
     * From now on the old master sends clients to the new one for keys that it does not have.
     */
    void beginMove(int slot, RedisNode from, RedisNode to) {
        to.command("CLUSTER", "SETSLOT", Integer.toString(slot), "IMPORTING", id(from));
        from.command("CLUSTER", "SETSLOT", Integer.toString(slot), "MIGRATING", id(to));
    }

    void moveKeys(int slot, RedisNode from, RedisNode to) {
        String port = Integer.toString(to.port());
        from.command("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), "100000")
                .lines()
                .forEach(key -> from.command("MIGRATE", "127.0.0.1", port, key, "0", MIGRATION_MILLIS));
    }

    void endMove(int slot, RedisNode from, RedisNode to) {
        String id = id(to);
        Stream.concat(Stream.of(to, from), masters().stream())
                .distinct()
                .forEach(node -> node.command("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", id));
        Eventually.becomes(
                "all know who has slot " + slot,
                () -> nodes.stream()
                        .filter(RedisNode::serving)
                        .allMatch(node ->
                                view(node).stream().anyMatch(other -> other.id.equals(id) && other.masterOf(slot))));
    }

    /**
     * Has a replica take over from its master, and returns it once it did.
     */
    RedisNode failover(RedisNode master) {
        RedisNode replica = replicasOf(master).get(0);
        AtomicLong order = new AtomicLong(System.nanoTime());
        Eventually.becomes(replica + " takes over", () -> {
            if (!self(replica).isMaster() && System.nanoTime() - order.get() >= 0) {
                order.set(System.nanoTime() + ORDER_AGAIN_NANOS);
                replica.command("CLUSTER", "FAILOVER");
            }
            return self(replica).isMaster() && !self(master).isMaster();
        });
        return replica;
    }

    /**
     * Resumes and starts what does not run, and waits until each master has its replica and all slots are served.
     */
    void heal() {
        nodes.forEach(RedisNode::heal);
        Eventually.becomes(
                "a whole cluster",
                () -> nodes.stream().allMatch(this::healthy) && masters().size() == MASTERS);
        masters().forEach(master -> master.awaitReplication(replicasOf(master)));
    }

    private boolean healthy(RedisNode node) {
        List<Member> view = view(node);
        return "ok".equals(clusterState(node))
                && view.size() == nodes.size()
                && view.stream().noneMatch(member -> member.flags.contains("fail"));
    }

    private static String clusterState(RedisNode node) {
        return node.command("CLUSTER", "INFO")
                .lines()
                .filter(line -> line.startsWith("cluster_state:"))
                .map(line -> line.substring("cluster_state:".length()))
                .findFirst()
                .orElse("");
    }

    private static String id(RedisNode node) {
        return node.command("CLUSTER", "MYID");
    }

    private static Member self(RedisNode node) {
        return view(node).stream()
                .filter(member -> member.flags.contains("myself"))
                .findFirst()
                .orElseThrow();
    }

    private static List<Member> view(RedisNode node) {
        return node.command("CLUSTER", "NODES").lines().map(Member::parse).toList();
    }

    @Override
    public void close() {
        nodes.forEach(RedisNode::close);
    }

    /**
     * One line of CLUSTER NODES.
     *
     * @param master id of the master that it follows, or a dash
     * @param slots as printed: single ones, ranges, and moves in brackets
     */
    private record Member(String id, String flags, String master, long epoch, List<String> slots) {
        private static Member parse(String line) {
            List<String> words = List.of(line.split(" "));
            return new Member(
                    words.get(0),
                    words.get(2),
                    words.get(3),
                    Long.parseLong(words.get(6)),
                    words.subList(8, words.size()));
        }

        private boolean isMaster() {
            return flags.contains("master");
        }

        private boolean masterOf(int slot) {
            return isMaster()
                    && slots.stream().filter(range -> !range.startsWith("[")).anyMatch(range -> {
                        int dash = range.indexOf('-');
                        int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
                        int last = Integer.parseInt(range.substring(dash + 1));
                        return first <= slot && slot <= last;
                    });
        }
    }
}
