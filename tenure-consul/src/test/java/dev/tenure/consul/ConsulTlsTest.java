package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.StoreRejectedException;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Asker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Certificates of the agent and of the client.
 */
class ConsulTlsTest {
    @TempDir
    Path folder;

    private final int port = Ports.free();
    private final String key = "service/" + UUID.randomUUID() + "/leader";
    private ConsulAgent agent;

    @AfterEach
    void stopAgent() {
        if (agent != null) {
            agent.close();
        }
    }

    private void start(Path certificate, Path secret, String more) {
        agent = new ConsulAgent(
                        "ports { https = " + port + " }\ncert_file = \"" + certificate + "\"\nkey_file = \"" + secret
                                + "\"\n" + more,
                        "")
                .start();
    }

    private void start(Certificates server) {
        start(server.certificate(), server.key(), "");
    }

    private void startAskingFor(Certificates client, Certificates server) {
        start(server.certificate(), server.key(), asking(client.certificate()));
    }

    private static String asking(Path authority) {
        return "ca_file = \"" + authority + "\"\nverify_incoming_https = true";
    }

    private LeaseStore store(Path ca, Path cert, Path secret) {
        return ConsulLeaseStore.builder(url("127.0.0.1"))
                .ca(ca)
                .cert(cert, secret)
                .build();
    }

    private String url(String host) {
        return "consul+https://" + host + ":" + port;
    }

    private Asker trusting(Path ca) {
        return Asker.at(url("127.0.0.1"), "ca", ca.toString());
    }

    private void refused(Asker asker, String why) {
        assertThat(refusal(asker)).hasMessageStartingWith("consul at ").hasMessageContaining(": TLS: " + why + ": ");
    }

    /**
     * An agent that refuses a connection hangs up, and now and then before it has said why.
     */
    private Throwable refusal(Asker asker) {
        Throwable[] failure = new Throwable[1];
        Eventually.becomes("a refusal", () -> {
            failure[0] = asker.failureOfAsking(key);
            return failure[0] instanceof StoreRejectedException;
        });
        return failure[0];
    }

    @Test
    void theAgentsCertificateAndHostAreChecked() {
        Certificates server = Certificates.make(folder, "server", "EC", "san=ip:127.0.0.1");
        Certificates other = Certificates.make(folder, "other");
        start(server);
        try (Asker checked = trusting(server.certificate());
                Asker jvm = Asker.at(url("127.0.0.1"));
                Asker wrong = trusting(other.certificate());
                Asker byName =
                        Asker.at(url("localhost"), "ca", server.certificate().toString())) {
            Claim claim = checked.grant(key);
            assertThat(checked.renew(claim)).isEqualTo(RenewResult.RENEWED);
            assertThat(checked.release(claim)).isTrue();
            String untrusted = "no trusted authority has signed the agent's certificate (option ca)";
            refused(jvm, untrusted);
            refused(wrong, untrusted);
            refused(byName, "the agent's certificate is for another host");
        }
    }

    @Test
    void aBundleMayHoldMoreAuthorities() throws IOException {
        Certificates server = Certificates.make(folder, "server");
        Certificates other = Certificates.make(folder, "other", "EC", "san=dns:other");
        start(server);
        Path bundle = Files.writeString(
                folder.resolve("bundle.pem"),
                "# two\n" + Files.readString(other.certificate()) + "\n" + Files.readString(server.certificate()));
        try (Asker asker = trusting(bundle)) {
            asker.grant(key);
        }
    }

    @Test
    void theAgentMayAskForTheClientsCertificate() {
        Certificates server = Certificates.make(folder, "server");
        Certificates client = Certificates.make(folder, "client");
        startAskingFor(client, server);
        try (Asker known = Asker.of(store(server.certificate(), client.certificate(), client.key()));
                Asker without = trusting(server.certificate());
                Asker unknown = Asker.of(store(server.certificate(), server.certificate(), server.key()))) {
            known.grant(key);
            String wanted = "the agent wants a client certificate that it trusts (options cert and key)";
            refused(without, wanted);
            refused(unknown, wanted);
        }
    }

    @Test
    void whatConsulsOwnToolMadeIsTaken() {
        String consul = ConsulBinaries.consul().toString();
        Certificates.run(List.of(consul, "tls", "ca", "create"), folder);
        Certificates.run(List.of(consul, "tls", "cert", "create", "-server"), folder);
        Certificates.run(List.of(consul, "tls", "cert", "create", "-client"), folder);
        Path ca = folder.resolve("consul-agent-ca.pem");
        start(folder.resolve("dc1-server-consul-0.pem"), folder.resolve("dc1-server-consul-0-key.pem"), asking(ca));
        Path cert = folder.resolve("dc1-client-consul-0.pem");
        try (Asker asker = Asker.of(store(ca, cert, folder.resolve("dc1-client-consul-0-key.pem")))) {
            assertThat(asker.release(asker.grant(key))).isTrue();
        }
    }

    @Test
    void theWrongSchemeIsTold() {
        start(Certificates.make(folder, "server"));
        try (Asker plain = Asker.at("consul://127.0.0.1:" + port);
                Asker secure = Asker.at("consul+https://127.0.0.1:" + agent.port())) {
            assertThat(refusal(plain)).hasMessageContaining("the agent speaks TLS on this port (consul+https://)");
            refused(secure, "the agent speaks no TLS on this port (consul://)");
        }
    }

    /**
     * No restart of the client: files are read again for a new connection.
     */
    @Test
    void K154_renewedCertificatesAreUsed() throws IOException {
        Certificates server = Certificates.make(folder, "server");
        Certificates client = Certificates.make(folder, "client");
        startAskingFor(client, server);
        try (Asker asker = Asker.of(store(server.certificate(), client.certificate(), client.key()))) {
            asker.grant(key);
            Certificates newServer = Certificates.make(folder, "new-server", "EC", "san=ip:127.0.0.1");
            Certificates newClient = Certificates.make(folder, "new-client", "EC", "san=dns:client");
            agent.close();
            startAskingFor(newClient, newServer);
            refused(asker, "no trusted authority has signed the agent's certificate (option ca)");
            replace(newServer.certificate(), server.certificate());
            replace(newClient.certificate(), client.certificate());
            refused(asker, "the agent wants a client certificate that it trusts (options cert and key)");
            replace(newClient.key(), client.key());
            asker.grant(key);
        }
    }

    private static void replace(Path by, Path what) throws IOException {
        Files.copy(by, what, StandardCopyOption.REPLACE_EXISTING);
    }
}
