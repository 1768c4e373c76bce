package dev.tenure.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A link to a server that can fail in one direction or in both; told by one thread. What it swallowed stays so.
 */
final class LinkProxy implements AutoCloseable {
    /**
     * What the link does from now on, to old connections and to new ones.
     */
    enum Mode {
        PASS,
        /** Requests arrive, nothing comes back. */
        DROP_REPLIES,
        /** Connections are taken, nothing arrives. */
        DROP_REQUESTS,
        /** New connections are refused; old ones pass. */
        REFUSE
    }

    private final int port = Ports.free();
    private volatile int server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "link-proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<Socket> silent = ConcurrentHashMap.newKeySet();
    private final AtomicInteger dropped = new AtomicInteger();
    private volatile Mode mode = Mode.PASS;
    private ServerSocket entrance;
    private CompletableFuture<Void> accepting;

    /**
     * @param server the port to which it leads; it may be dead for a while
     */
    LinkProxy(int server) {
        this.server = server;
        open();
    }

    int port() {
        return port;
    }

    String url() {
        return "redis://127.0.0.1:" + port;
    }

    /**
     * New connections lead elsewhere.
     *
     * @param other the port of a server
     */
    void leadTo(int other) {
        server = other;
    }

    /**
     * How often something was swallowed.
     */
    int dropped() {
        return dropped.get();
    }

    void mode(Mode now) {
        mode = now;
        if (now == Mode.REFUSE) {
            close(entrance);
            // The system takes connections for as long as a thread waits for one.
            accepting.join();
        } else if (entrance.isClosed()) {
            open();
        }
    }

    /**
     * Nothing passes over the connections of now any more, and nobody is told.
     */
    synchronized void silence() {
        silent.addAll(sockets);
    }

    /**
     * Closes all connections of now.
     */
    synchronized void cut() {
        sockets.forEach(LinkProxy::close);
        sockets.clear();
    }

    private void open() {
        try {
            ServerSocket opened = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
            entrance = opened;
            accepting = CompletableFuture.runAsync(() -> accept(opened), threads);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void accept(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                connect(from.accept());
            } catch (IOException closed) {
                // by mode() or close()
            }
        }
    }

    private synchronized void connect(Socket client) throws IOException {
        try {
            Socket onward = new Socket(InetAddress.getLoopbackAddress(), server);
            sockets.add(client);
            sockets.add(onward);
            threads.execute(() -> pump(client, onward, Mode.DROP_REQUESTS));
            threads.execute(() -> pump(onward, client, Mode.DROP_REPLIES));
        } catch (IOException refused) {
            client.close();
        }
    }

    private void pump(Socket from, Socket to, Mode dropping) {
        byte[] buffer = new byte[8192];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (mode != dropping && !silent.contains(from)) {
                    out.write(buffer, 0, n);
                } else {
                    dropped.incrementAndGet();
                }
            }
        } catch (IOException closed) {
            // the other pump notices too
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        mode(Mode.REFUSE);
        cut();
        threads.shutdown();
    }
}
