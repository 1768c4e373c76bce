package dev.tenure.consul;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/**
 * All that servers say to each other goes through here: each listens at an inner address and is known to the others by
 * an outer one. A server that is cut off neither hears of the others nor is heard by them, while clients still reach it:
 * gossip packets are dropped, and what is under way on connections waits, as if its packets were sent again and again.
 * Other than on a real network, a new connection to a server that is cut off is taken, and then silent.
 *
 * <p>Needs the whole of 127.0.0.0/8, as Linux has it, and no rights.
 */
final class ClusterNetwork implements AutoCloseable {
    private static final int UNKNOWN = -1;
    private static final int LARGEST_PACKET = 65_535;

    private final String prefix;
    private final int servers;
    private final int rpcPort = Ports.free();
    private final int gossipPort = Ports.free();
    private final boolean[] cut;
    private final List<AutoCloseable> entrances = new ArrayList<>();
    private final List<DatagramSocket> gossip = new ArrayList<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private boolean closed;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "cluster-network");
        thread.setDaemon(true);
        return thread;
    });

    ClusterNetwork(int servers) {
        this.servers = servers;
        cut = new boolean[servers];
        ThreadLocalRandom random = ThreadLocalRandom.current();
        prefix = "127." + random.nextInt(16, 250) + "." + random.nextInt(1, 250) + ".";
        try {
            for (int i = 0; i < servers; i++) {
                listen(i, rpcPort);
                listen(i, gossipPort);
                DatagramSocket socket = new DatagramSocket(new InetSocketAddress(outer(i), gossipPort));
                gossip.add(socket);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("no addresses of 127.0.0.0/8 beside 127.0.0.1", failed);
        }
        for (int i = 0; i < servers; i++) {
            int to = i;
            threads.execute(() -> packets(to));
        }
    }

    int rpcPort() {
        return rpcPort;
    }

    int gossipPort() {
        return gossipPort;
    }

    /**
     * Where a server listens.
     */
    String inner(int server) {
        return prefix + (10 + server);
    }

    /**
     * Where the others find it.
     */
    String outer(int server) {
        return prefix + (20 + server);
    }

    synchronized void cut(int server) {
        cut[server] = true;
    }

    synchronized void heal() {
        Arrays.fill(cut, false);
        notifyAll();
    }

    /**
     * From or to a server that is not known, only while nobody is cut off.
     */
    private synchronized boolean passes(int from, int to) {
        if (from == UNKNOWN || to == UNKNOWN) {
            for (boolean each : cut) {
                if (each) {
                    return false;
                }
            }
            return true;
        }
        return !cut[from] && !cut[to];
    }

    private synchronized void awaitPassage(int from, int to) throws InterruptedException {
        while (!closed && !passes(from, to)) {
            wait();
        }
    }

    private int serverAt(InetAddress address) {
        for (int i = 0; i < servers; i++) {
            if (inner(i).equals(address.getHostAddress())) {
                return i;
            }
        }
        return UNKNOWN;
    }

    private void listen(int server, int port) throws IOException {
        ServerSocket entrance = new ServerSocket(port, 50, InetAddress.getByName(outer(server)));
        entrances.add(entrance);
        threads.execute(() -> {
            while (!entrance.isClosed()) {
                try {
                    Socket caller = entrance.accept();
                    threads.execute(() -> connect(caller, server, port));
                } catch (IOException closing) {
                    // by close()
                }
            }
        });
    }

    private void connect(Socket caller, int to, int port) {
        int from = serverAt(caller.getInetAddress());
        sockets.add(caller);
        try {
            awaitPassage(from, to);
            Socket onward = new Socket(inner(to), port);
            sockets.add(onward);
            threads.execute(() -> pump(onward, caller, to, from));
            pump(caller, onward, from, to);
        } catch (IOException refused) {
            sockets.remove(caller);
            close(caller);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void pump(Socket source, Socket target, int from, int to) {
        byte[] buffer = new byte[8192];
        try (source;
                target;
                InputStream in = source.getInputStream();
                OutputStream out = target.getOutputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                awaitPassage(from, to);
                out.write(buffer, 0, n);
            }
            awaitPassage(from, to);
        } catch (IOException hungUp) {
            // the other pump notices too
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(source);
            sockets.remove(target);
        }
    }

    private void packets(int to) {
        DatagramSocket socket = gossip.get(to);
        DatagramPacket packet = new DatagramPacket(new byte[LARGEST_PACKET], LARGEST_PACKET);
        while (!socket.isClosed()) {
            try {
                packet.setLength(LARGEST_PACKET);
                socket.receive(packet);
                int from = serverAt(packet.getAddress());
                if (from != UNKNOWN && passes(from, to)) {
                    InetSocketAddress inner = new InetSocketAddress(inner(to), gossipPort);
                    gossip.get(from).send(new DatagramPacket(packet.getData(), packet.getLength(), inner));
                }
            } catch (IOException refusedOrClosing) {
                // gossip goes on without this packet
            }
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
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        entrances.forEach(ClusterNetwork::close);
        gossip.forEach(ClusterNetwork::close);
        sockets.forEach(ClusterNetwork::close);
        threads.shutdownNow();
    }
}
