package dev.tenure.verification.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A link to a server that counts HTTP requests and connections, and can be cut. Connections stay as the client and the
 * server make them.
 */
final class HttpCount implements AutoCloseable {
    /** Ends the first line of each request, and is in no body of Consul's API. */
    private static final byte[] MARK = " HTTP/1.1\r\n".getBytes(US_ASCII);

    private final int server;
    private final ServerSocket entrance;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final Set<Socket> servers = ConcurrentHashMap.newKeySet();
    private final AtomicLong requests = new AtomicLong();
    private volatile long lastRequest;
    private volatile boolean cut;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "http-count");
        thread.setDaemon(true);
        return thread;
    });

    HttpCount(int server) throws IOException {
        this.server = server;
        entrance = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    int port() {
        return entrance.getLocalPort();
    }

    long requests() {
        return requests.get();
    }

    /**
     * When the last one came that was let through, as {@code System.nanoTime()}.
     */
    long lastRequest() {
        return lastRequest;
    }

    int connections() {
        return clients.size();
    }

    /**
     * From now on nothing passes either way, and nobody is told.
     */
    void cut() {
        cut = true;
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                Socket onward = new Socket(InetAddress.getLoopbackAddress(), server);
                client.setTcpNoDelay(true);
                onward.setTcpNoDelay(true);
                clients.add(client);
                servers.add(onward);
                threads.execute(() -> pump(client, onward, true));
                threads.execute(() -> pump(onward, client, false));
            } catch (IOException closed) {
                // by close(), or the server is gone
            }
        }
    }

    private void pump(Socket from, Socket to, boolean counts) {
        byte[] buffer = new byte[8192];
        int matched = 0;
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (cut) {
                    continue;
                }
                for (int i = 0; counts && i < n; i++) {
                    matched = buffer[i] == MARK[matched] ? matched + 1 : buffer[i] == MARK[0] ? 1 : 0;
                    if (matched == MARK.length) {
                        matched = 0;
                        lastRequest = System.nanoTime();
                        requests.incrementAndGet();
                    }
                }
                out.write(buffer, 0, n);
            }
        } catch (IOException closed) {
            // the other pump notices too
        } finally {
            clients.remove(from);
            clients.remove(to);
            servers.remove(from);
            servers.remove(to);
        }
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        for (Socket client : clients) {
            client.close();
        }
        for (Socket onward : servers) {
            onward.close();
        }
        threads.shutdown();
    }
}
