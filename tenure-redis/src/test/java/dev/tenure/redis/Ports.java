package dev.tenure.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports, none twice, below those that the system gives to outgoing connections: a server that is started again
 * finds its port free.
 */
final class Ports {
    /** From a Redis node's port to that of its cluster bus. */
    private static final int BUS = 10_000;

    private static final int FIRST = 12_000;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    static synchronized int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, FIRST + BUS);
            if (isFree(port) && isFree(port + BUS) && GIVEN.add(port)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
