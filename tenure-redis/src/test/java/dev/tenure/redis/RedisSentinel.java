package dev.tenure.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A master and two replicas under the name {@code main}, and three Sentinels that watch them.
 */
final class RedisSentinel implements AutoCloseable {
    private static final String NAME = "main";

    /**
     * How long a master may be silent: a busy machine holds one up for a second or two.
     */
    private static final int PATIENT_MILLIS = 20_000;

    /**
     * While a failover is waited for.
     */
    private static final int HASTY_MILLIS = 1_000;

    /**
     * A failover that was begun is given up after the time-out below, and is not tried again by itself.
     */
    private static final long ORDER_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final List<RedisNode> nodes = new ArrayList<>();
    private final List<RedisNode> sentinels = new ArrayList<>();

    /**
     * @param config lines of {@code redis.conf} for master and replicas
     */
    RedisSentinel(String... config) {
        String[] lines = Stream.concat(Stream.of("repl-diskless-sync-delay 0"), Stream.of(config))
                .toArray(String[]::new);
        RedisNode master = new RedisNode(lines).start();
        nodes.add(master);
        String[] following = Stream.concat(Stream.of(lines), Stream.of("replicaof 127.0.0.1 " + master.port()))
                .toArray(String[]::new);
        nodes.add(new RedisNode(following).start());
        nodes.add(new RedisNode(following).start());
        for (int i = 0; i < 3; i++) {
            sentinels.add(RedisNode.sentinel(
                            "sentinel monitor main 127.0.0.1 " + master.port() + " 2",
                            "sentinel down-after-milliseconds main " + PATIENT_MILLIS,
                            "sentinel failover-timeout main 3000",
                            "sentinel parallel-syncs main 2")
                    .start());
        }
        sentinels.forEach(sentinel -> sentinel.command("SENTINEL", "DEBUG", "PUBLISH-PERIOD", "200"));
        heal();
    }

    String url() {
        return sentinels.stream()
                .map(RedisNode::address)
                .collect(Collectors.joining(",", "redis-sentinel://", "#main"));
    }

    List<RedisNode> nodes() {
        return nodes;
    }

    List<RedisNode> sentinels() {
        return sentinels;
    }

    /**
     * The master as the first serving Sentinel knows it.
     */
    RedisNode master() {
        return sentinels.stream()
                .filter(RedisNode::serving)
                .map(this::masterOf)
                .findFirst()
                .orElseThrow();
    }

    List<RedisNode> replicas() {
        RedisNode master = master();
        return nodes.stream().filter(node -> node != master).toList();
    }

    /**
     * Has a Sentinel make a replica the master, which it returns, and waits until all serving Sentinels know.
     */
    RedisNode failover() {
        RedisNode old = master();
        AtomicLong order = new AtomicLong(System.nanoTime());
        Eventually.becomes("other master than " + old, () -> {
            if (master() == old && System.nanoTime() - order.get() >= 0) {
                order.set(System.nanoTime() + ORDER_AGAIN_NANOS);
                order();
            }
            return isOther(old);
        });
        return master();
    }

    private void order() {
        sentinels.stream().filter(RedisNode::serving).findFirst().orElseThrow().command("SENTINEL", "FAILOVER", NAME);
    }

    /**
     * Waits until all serving Sentinels know another master than this one, which is dead, and it is one. A Sentinel takes
     * no replica that has been without its master for longer than it has known the master down, by more than ten times
     * the silence that it allows. One that was held up knows so late that it would never take any: it is made patient
     * again, and told to fail over.
     */
    RedisNode awaitOther(RedisNode old) {
        downAfter(HASTY_MILLIS);
        AtomicLong order = new AtomicLong(System.nanoTime() + ORDER_AGAIN_NANOS);
        try {
            Eventually.becomes("other master than " + old, () -> {
                if (System.nanoTime() - order.get() >= 0) {
                    order.set(System.nanoTime() + ORDER_AGAIN_NANOS);
                    downAfter(PATIENT_MILLIS);
                    order();
                }
                return isOther(old);
            });
        } finally {
            downAfter(PATIENT_MILLIS);
        }
        return master();
    }

    private boolean isOther(RedisNode old) {
        RedisNode now = master();
        return now != old && now.isMaster() && agreed(now);
    }

    private void downAfter(int millis) {
        sentinels.stream()
                .filter(RedisNode::serving)
                .forEach(sentinel ->
                        sentinel.command("SENTINEL", "SET", NAME, "down-after-milliseconds", Integer.toString(millis)));
    }

    /**
     * Resumes and starts what does not run, and waits for one master that both others follow, without a gap.
     */
    void heal() {
        nodes.forEach(RedisNode::heal);
        sentinels.forEach(RedisNode::heal);
        Eventually.becomes("one master with two replicas", this::healthy);
        awaitReplication();
    }

    /**
     * Waits until both replicas have all that the master has.
     */
    void awaitReplication() {
        master().awaitReplication(replicas());
    }

    private boolean healthy() {
        RedisNode master = master();
        if (!master.isMaster() || !agreed(master)) {
            return false;
        }
        String port = Integer.toString(master.port());
        for (RedisNode replica : replicas()) {
            // Sentinel does the same, but later.
            if (!port.equals(replica.info("replication").get("master_port"))) {
                replica.command("REPLICAOF", "127.0.0.1", port);
            }
        }
        return sentinels.stream().allMatch(RedisSentinel::seesAll);
    }

    private boolean agreed(RedisNode master) {
        return sentinels.stream().filter(RedisNode::serving).allMatch(sentinel -> masterOf(sentinel) == master);
    }

    private static boolean seesAll(RedisNode sentinel) {
        return sentinel.info("sentinel").getOrDefault("master0", "").matches(".*status=ok,.*slaves=2,sentinels=3");
    }

    private RedisNode masterOf(RedisNode sentinel) {
        String address =
                sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME).replace('\n', ':');
        return nodes.stream()
                .filter(node -> node.address().equals(address))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        sentinels.forEach(RedisNode::close);
        nodes.forEach(RedisNode::close);
    }
}
