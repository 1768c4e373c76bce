package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.redis.LinkProxy.Mode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The servers and the faults that other tests build on.
 */
@Isolated("breaks servers that others use, or counts what they do")
class ServersTest {
    private static final int SHORT_MILLIS = 200;
    private static final int LONG_MILLIS = 60_000;

    @Test
    void nodeTakesItsConfiguration() {
        try (RedisNode node = new RedisNode("requirepass secret", "maxmemory-policy volatile-lru").start()) {
            assertThat(node.url()).isEqualTo("redis://:secret@127.0.0.1:" + node.port());
            assertThat(node.command("SET", "k", "ä\r\n1")).isEqualTo("OK");
            assertThat(node.command("GET", "k")).isEqualTo("ä\r\n1");
            assertThat(node.command("GET", "none")).isEmpty();
            assertThat(node.command("MGET", "k", "none", "k")).isEqualTo("ä\r\n1\n\nä\r\n1");
            assertThat(node.info("server")).containsEntry("tcp_port", Integer.toString(node.port()));
            assertThat(node.isMaster()).isTrue();
            assertThatThrownBy(() -> node.command("GET")).hasMessageStartingWith("ERR wrong number");
            assertThatThrownBy(() -> Resp.ask(node.port(), "", "GET", "k")).hasMessageStartingWith("NOAUTH");
        }
    }

    @Test
    void nodeThatCannotStartSaysWhy() {
        try (RedisNode node = new RedisNode("no-such-option yes")) {
            assertThatThrownBy(node::start).hasMessageContaining("no-such-option");
        }
    }

    @Test
    void killedNodeComesBackWithItsFile() {
        try (RedisNode node = new RedisNode("appendonly yes", "appendfsync always").start()) {
            node.command("SET", "k", "1");
            node.kill();
            assertThatThrownBy(() -> node.command("PING")).hasRootCauseInstanceOf(ConnectException.class);
            node.start();
            assertThat(node.command("GET", "k")).isEqualTo("1");
            String run = node.info("server").get("run_id");
            node.restart();
            assertThat(node.command("GET", "k")).isEqualTo("1");
            assertThat(node.info("server").get("run_id")).isNotEqualTo(run);
        }
    }

    @Test
    void pausedNodeIsSilentAndThenAnswers() throws IOException {
        RedisNode node = RedisServers.single();
        node.pause();
        try (Socket socket = connect(node.port())) {
            assertThat(node.serving()).isFalse();
            send(socket, "PING");
            assertThatThrownBy(() -> read(socket)).isInstanceOf(SocketTimeoutException.class);
            node.resume();
            Eventually.becomes("answer", () -> "+PONG\r\n".equals(read(socket)));
        }
    }

    @Test
    void sharedNodeIsHealed() {
        RedisServers.single().pause();
        assertThat(RedisServers.single().command("PING")).isEqualTo("PONG");
        RedisServers.single().kill();
        assertThat(RedisServers.single().command("PING")).isEqualTo("PONG");
    }

    @Test
    void sentinelMovesTheMaster() {
        RedisSentinel sentinel = RedisServers.sentinel();
        RedisNode old = sentinel.master();
        old.command("SET", "k", "1");
        sentinel.awaitReplication();
        RedisNode now = sentinel.failover();
        assertThat(now).isNotSameAs(old).isSameAs(sentinel.master());
        assertThat(now.command("GET", "k")).isEqualTo("1");
        assertThat(sentinel.url())
                .matches("redis-sentinel://127\\.0\\.0\\.1:\\d+,127\\.0\\.0\\.1:\\d+,127\\.0\\.0\\.1:\\d+#main");
    }

    @Test
    void sentinelReplacesAMasterThatHangs() {
        RedisSentinel sentinel = RedisServers.sentinel();
        RedisNode old = sentinel.master();
        old.pause();
        assertThat(sentinel.awaitOther(old).command("SET", "k", "2")).isEqualTo("OK");
        sentinel.heal();
        assertThat(old.isMaster()).isFalse();
        assertThat(old.command("GET", "k")).isEqualTo("2");
    }

    @Test
    void sentinelReplicaCanBeCutOff() {
        RedisSentinel sentinel = RedisServers.sentinel();
        RedisNode replica = sentinel.replicas().get(0);
        RedisNode master = sentinel.master();
        sentinel.sentinels().forEach(RedisNode::pause); // they would mend it
        replica.command("REPLICAOF", "NO", "ONE");
        master.command("SET", "cut", "1");
        assertThat(replica.command("GET", "cut")).isEmpty();
        sentinel.heal();
        assertThat(replica.command("GET", "cut")).isEqualTo("1");
    }

    @Test
    void clusterMovesASlot() {
        RedisCluster cluster = RedisServers.cluster();
        int slot = cluster.slotOf("{moved}a");
        RedisNode from = cluster.masterOf(slot);
        RedisNode to = cluster.masters().stream()
                .filter(node -> node != from)
                .findFirst()
                .orElseThrow();
        from.command("SET", "{moved}a", "1");
        cluster.beginMove(slot, from, to);
        assertThatThrownBy(() -> from.command("GET", "{moved}none")).hasMessage("ASK " + slot + " " + to.address());
        assertThat(from.command("GET", "{moved}a")).isEqualTo("1");
        cluster.moveKeys(slot, from, to);
        cluster.endMove(slot, from, to);
        assertThat(cluster.masterOf(slot)).isSameAs(to);
        assertThat(to.command("GET", "{moved}a")).isEqualTo("1");
        assertThatThrownBy(() -> from.command("GET", "{moved}a")).hasMessage("MOVED " + slot + " " + to.address());
        cluster.moveSlot(slot, to, from);
        assertThat(from.command("GET", "{moved}a")).isEqualTo("1");
    }

    @Test
    void clusterReplacesAMaster() {
        RedisCluster cluster = RedisServers.cluster();
        int slot = cluster.slotOf("k");
        RedisNode first = cluster.masterOf(slot);
        RedisNode second = cluster.failover(first);
        assertThat(cluster.masterOf(slot)).isSameAs(second);
        assertThat(cluster.replicasOf(second)).containsExactly(first);
        second.kill();
        Eventually.becomes("takeover", () -> cluster.masterOf(slot) == first);
        cluster.heal();
        assertThat(cluster.replicasOf(first)).isEqualTo(List.of(second));
    }

    @Test
    void proxyFailsAsTold() throws IOException {
        RedisNode node = RedisServers.single();
        try (LinkProxy link = new LinkProxy(node.port());
                Socket socket = connect(link.port())) {
            send(socket, "SET proxied 1");
            assertThat(await(socket)).isEqualTo("+OK\r\n");

            link.mode(Mode.DROP_REPLIES);
            send(socket, "SET proxied 2");
            Eventually.becomes("a reply is dropped", () -> link.dropped() == 1);
            assertThatThrownBy(() -> read(socket)).isInstanceOf(SocketTimeoutException.class);
            assertThat(node.command("GET", "proxied")).isEqualTo("2");

            link.mode(Mode.DROP_REQUESTS);
            send(socket, "SET proxied 3");
            Eventually.becomes("a request is dropped", () -> link.dropped() == 2);
            assertThatThrownBy(() -> read(socket)).isInstanceOf(SocketTimeoutException.class);
            assertThat(node.command("GET", "proxied")).isEqualTo("2");

            link.mode(Mode.REFUSE);
            assertThatThrownBy(() -> connect(link.port())).isInstanceOf(ConnectException.class);
            send(socket, "PING");
            assertThat(await(socket)).isEqualTo("+PONG\r\n");
            link.cut();
            assertThat(await(socket)).isEmpty();

            link.mode(Mode.PASS);
            assertThat(Resp.ask(link.port(), "", "PING")).isEqualTo("PONG");
            node.kill();
            assertThatThrownBy(() -> Resp.ask(link.port(), "", "PING")).isInstanceOf(IOException.class);
            node.start();
            assertThat(Resp.ask(link.port(), "", "PING")).isEqualTo("PONG");
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(SHORT_MILLIS);
        return socket;
    }

    private static void send(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    /**
     * However long it takes.
     */
    private static String await(Socket socket) throws IOException {
        socket.setSoTimeout(LONG_MILLIS);
        try {
            return read(socket);
        } finally {
            socket.setSoTimeout(SHORT_MILLIS);
        }
    }

    /**
     * What is there; empty at the end.
     */
    private static String read(Socket socket) throws IOException {
        byte[] buffer = new byte[64];
        return new String(buffer, 0, Math.max(0, socket.getInputStream().read(buffer)), StandardCharsets.UTF_8);
    }
}
