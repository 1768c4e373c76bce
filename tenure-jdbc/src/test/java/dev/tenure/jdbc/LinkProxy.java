package dev.tenure.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A link to a server that can go dead without anybody being told.
 */
final class LinkProxy implements AutoCloseable {
    private final ServerSocket entrance;
    private final int port;
    private final ExecutorService pumps = Executors.newCachedThreadPool();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean dead;

    LinkProxy(int port) throws IOException {
        this.port = port;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        pumps.execute(this::accept);
    }

    int port() {
        return entrance.getLocalPort();
    }

    /**
     * Swallows everything from now on, or no longer: what was swallowed stays so.
     */
    void dead(boolean now) {
        dead = now;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(client);
                sockets.add(server);
                pumps.execute(() -> pump(client, server));
                pumps.execute(() -> pump(server, client));
            }
        } catch (IOException closed) {
            close();
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (!dead) {
                    out.write(buffer, 0, n);
                }
            }
        } catch (IOException closed) {
            sockets.remove(from);
        }
    }

    @Override
    public void close() {
        try {
            entrance.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException ignored) {
            sockets.clear();
        }
        pumps.shutdownNow();
    }
}
