package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.Claim;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Asker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Certificates of the server and of the client.
 */
@Isolated("breaks servers that others use, or counts what they do")
class TlsTest {
    @TempDir
    Path folder;

    private final int port = Ports.free();
    private Certificates server;
    private Certificates client;
    private RedisNode node;

    @BeforeEach
    void startServer() {
        server = Certificates.make(folder, "server");
        client = Certificates.make(folder, "client");
        node = new RedisNode(
                        "tls-port " + port,
                        "tls-cert-file " + server.certificate(),
                        "tls-key-file " + server.key(),
                        "tls-ca-cert-file " + client.certificate(),
                        "tls-auth-clients optional")
                .start();
        Eventually.becomes("listening", () -> {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        });
    }

    @AfterEach
    void stopServer() {
        node.close();
    }

    private Asker asker(String options) {
        return Asker.at("rediss://127.0.0.1:" + port + "?" + options);
    }

    private String own() {
        return "cert=" + client.certificate() + "&key=" + client.key();
    }

    @Test
    void R015_theServersCertificateIsChecked() {
        try (Asker checked = asker("ca=" + server.certificate());
                Asker unknown = asker("");
                Asker wrong = asker("ca=" + client.certificate());
                Asker careless = asker("verify=none")) {
            checked.grant("key");
            careless.denied("key");
            assertThat(unknown.failureOfAsking("key"))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining("certification path");
            assertThat(wrong.failureOfAsking("key")).isInstanceOf(StoreRejectedException.class);
        }
    }

    @Test
    void plainWhereTlsIsSpokenIsTold() {
        try (Asker plain = Asker.at("redis://127.0.0.1:" + port)) {
            assertThat(plain.failureOfAsking("key"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + port);
        }
    }

    @Test
    void theServerMayAskForTheClientsCertificate() {
        node.command("CONFIG", "SET", "tls-auth-clients", "yes");
        try (Asker known = asker("ca=" + server.certificate() + "&" + own());
                Asker without = asker("ca=" + server.certificate())) {
            known.grant("key");
            assertThat(without.failureOfAsking("key")).isInstanceOf(RuntimeException.class);
        }
    }

    /**
     * No restart of the client: files are read for each connection.
     */
    @Test
    void K154_renewedCertificatesAreUsed() throws IOException {
        node.command("CONFIG", "SET", "tls-auth-clients", "yes");
        try (Asker asker = asker("ca=" + server.certificate() + "&" + own())) {
            Claim claim = asker.grant("key");
            Certificates newServer = Certificates.make(folder, "new-server");
            Certificates newClient = Certificates.make(folder, "new-client");
            node.command(
                    "CONFIG", "SET", "tls-ca-cert-file", newClient.certificate().toString());
            node.command(
                    "CONFIG",
                    "SET",
                    "tls-cert-file",
                    newServer.certificate().toString(),
                    "tls-key-file",
                    newServer.key().toString());
            node.command("CLIENT", "KILL", "TYPE", "normal");
            Eventually.becomes("refused", () -> {
                asker.failure(store -> store.renew(asker.own(claim)));
                return true;
            });
            replace(newServer.certificate(), server.certificate());
            replace(newClient.certificate(), client.certificate());
            replace(newClient.key(), client.key());
            Eventually.becomes("renewed", () -> asker.renew(claim) == RenewResult.RENEWED);
        }
    }

    private static void replace(Path by, Path what) throws IOException {
        Files.copy(by, what, StandardCopyOption.REPLACE_EXISTING);
    }
}
