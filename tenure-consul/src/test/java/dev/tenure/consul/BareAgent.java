package dev.tenure.consul;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An agent of which nothing is expected but that it listens.
 */
final class BareAgent implements AutoCloseable {
    private final int port = Ports.free();
    private final Process process;

    private BareAgent(List<String> options) {
        try {
            Path folder = Undertaker.folder(port);
            List<String> command =
                    new ArrayList<>(List.of(ConsulBinaries.consul().toString(), "agent"));
            command.addAll(List.of("-bind", "127.0.0.1", "-client", "127.0.0.1"));
            command.addAll(List.of("-http-port", Integer.toString(port), "-dns-port", "-1", "-grpc-port", "-1"));
            command.addAll(List.of("-server-port", Integer.toString(Ports.free())));
            command.addAll(List.of("-serf-lan-port", Integer.toString(Ports.free())));
            command.addAll(List.of("-serf-wan-port", Integer.toString(Ports.free())));
            options.forEach(option -> command.add(option.replace("FOLDER", folder.toString())));
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
            Undertaker.watch(process, port);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Eventually.becomes("listening", this::listens);
    }

    /**
     * One of three servers, of which the others never come: it has no leader.
     */
    static BareAgent lone() {
        return new BareAgent(List.of("-server", "-bootstrap-expect", "3", "-data-dir", "FOLDER"));
    }

    /**
     * In development mode.
     *
     * @param config HCL beyond addresses and ports
     */
    static BareAgent dev(String config) {
        return new BareAgent(List.of("-dev", "-hcl", config));
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    String url() {
        return "consul://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        Eventually.becomes("end of the agent", () -> !process.isAlive());
    }
}
