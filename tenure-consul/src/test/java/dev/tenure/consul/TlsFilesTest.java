package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * PEM files.
 */
class TlsFilesTest {
    @TempDir
    Path folder;

    private static void refused(Map<String, String> options, String message) {
        assertThatThrownBy(() -> ConsulOptions.parse("consul+https://h", options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private Path text(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void aFileThatCannotBeUsedIsNamed() throws IOException {
        Certificates rsa = Certificates.make(folder, "rsa");
        Certificates other = Certificates.make(folder, "other");
        Certificates ec = Certificates.make(folder, "ec", "EC", "san=dns:ec");
        Path none = folder.resolve("none");
        Path junk = text("junk", "s3cret");
        Path broken = text("broken", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        for (Path missing : new Path[] {none, folder}) {
            refused(Map.of("ca", missing.toString()), "ca must be a readable file: ca=" + missing);
            refused(own(missing, rsa.key()), "cert must be a readable file: cert=" + missing);
            refused(own(rsa.certificate(), missing), "key must be a readable file: key=" + missing);
        }
        for (Path wrong : new Path[] {junk, broken, rsa.key()}) {
            refused(Map.of("ca", wrong.toString()), "ca must be a PEM file of certificates: ca=" + wrong);
            refused(own(wrong, rsa.key()), "cert must be a PEM file of certificates: cert=" + wrong);
        }
        Path locked = text("locked", Files.readString(rsa.key()).replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"));
        for (Path wrong : new Path[] {junk, broken, rsa.certificate(), locked}) {
            refused(
                    own(rsa.certificate(), wrong),
                    "key must be a PEM file with a private key, RSA or EC, without a password: key=" + wrong);
        }
        for (Path stranger : new Path[] {other.key(), ec.key()}) {
            refused(
                    own(rsa.certificate(), stranger),
                    "key must be the one of cert: key=" + stranger + " cert=" + rsa.certificate());
        }
    }

    private static Map<String, String> own(Path cert, Path key) {
        return Map.of("cert", cert.toString(), "key", key.toString());
    }

    @Test
    void keysOfBothKindsAreTakenWithTheirCertificates() {
        for (String algorithm : new String[] {"RSA", "EC"}) {
            Certificates made = Certificates.make(folder, algorithm, algorithm, "san=dns:h");
            Map<String, String> options = new HashMap<>(own(made.certificate(), made.key()));
            options.put("ca", made.certificate().toString());
            assertThat(ConsulOptions.parse("consul+https://h", options).tls()).isNotNull();
        }
        assertThat(ConsulOptions.parse("consul+https://h", Map.of()).tls())
                .as("the JVM's own")
                .isNull();
    }

    @Test
    void olderFormsOfKeysAreTheSameKeys() throws IOException {
        Certificates rsa = Certificates.make(folder, "rsa");
        PrivateKey key = Pem.key("key", rsa.key());
        byte[] pkcs8 = key.getEncoded();
        byte[] pkcs1 = Arrays.copyOfRange(pkcs8, 26, pkcs8.length); // what comes before has one length for 2048 bits
        Path old = Certificates.pem(folder.resolve("old.key"), "RSA PRIVATE KEY", pkcs1);
        assertThat(Pem.key("key", old)).isEqualTo(key);

        Path both = text(
                "ec.key",
                "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
                        + Files.readString(old));
        assertThat(Pem.key("key", both)).as("after what is no key").isEqualTo(key);
    }

    @Test
    void aFileThatIsJustBeingWrittenLeavesWhatWasReadLast() throws IOException {
        Path file = text("file", "one");
        Reloaded<String> content = new Reloaded<>(Map.of("tokenFile", file), () -> {
            try {
                String text = Files.readString(file, StandardCharsets.UTF_8);
                if (text.isEmpty()) {
                    throw new IllegalArgumentException("empty");
                }
                return text;
            } catch (IOException gone) {
                throw new IllegalArgumentException(gone);
            }
        });
        assertThat(content.now()).isEqualTo("one");
        text("file", "");
        assertThat(content.now()).isEqualTo("one");
        Files.delete(file);
        assertThat(content.now()).isEqualTo("one");
        text("file", "three");
        assertThat(content.now()).isEqualTo("three");
    }
}
