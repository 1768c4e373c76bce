package dev.tenure.consul;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends all servers and deletes their folders when this JVM ends, however it does: a shell waits for the end of a pipe
 * that only this JVM holds.
 */
final class Undertaker {
    /** A process counts as the server that was started if its port stands in its command line. */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            servers=
            while read -r server; do servers="$servers $server"; done
            for server in $servers; do
                pid=${server%:*}
                case $(tr '\\0' ' ' <"/proc/$pid/cmdline" || ps -o args= -p "$pid") in
                *${server#*:}*) kill -9 "$pid" ;;
                esac
            done
            rm -rf "$1"
            """;

    private static final Path FOLDER;
    private static final Process SHELL;
    private static final Set<Process> SERVERS = ConcurrentHashMap.newKeySet();

    static {
        try {
            FOLDER = Files.createTempDirectory("tenure-consul-");
            SHELL = new ProcessBuilder("sh", "-c", SCRIPT, "sh", FOLDER.toString())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(Undertaker::end, "undertaker"));
    }

    private Undertaker() {}

    /**
     * A new folder for the server on this port.
     */
    static Path folder(int port) throws IOException {
        return Files.createDirectory(FOLDER.resolve(Integer.toString(port)));
    }

    static synchronized void watch(Process server, int port) throws IOException {
        SERVERS.removeIf(other -> !other.isAlive());
        SERVERS.add(server);
        SHELL.getOutputStream().write((server.pid() + ":" + port + "\n").getBytes(UTF_8));
        SHELL.getOutputStream().flush();
    }

    /** What the shell would do, but a parent that waits leaves no zombies. */
    private static void end() {
        try {
            for (Process server : SERVERS) {
                server.destroyForcibly().waitFor();
            }
            SHELL.getOutputStream().close();
            SHELL.waitFor();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
