package dev.tenure.consul;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A certificate that is its own authority, and its key, as PEM files, made by the JDK's own tool.
 */
record Certificates(Path certificate, Path key) {
    private static final String SECRET = "changeit";

    /**
     * For 127.0.0.1 and localhost.
     */
    static Certificates make(Path folder, String name) {
        return make(folder, name, "RSA", "san=ip:127.0.0.1,dns:localhost");
    }

    /**
     * @param algorithm RSA or EC
     * @param hosts as keytool wants them
     * @param more arguments of keytool
     */
    static Certificates make(Path folder, String name, String algorithm, String hosts, String... more) {
        Path store = folder.resolve(name + ".p12");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-genkeypair", "-alias", "x", "-keyalg", algorithm, "-dname", "CN=" + name));
        command.addAll(algorithm.equals("RSA") ? List.of("-keysize", "2048") : List.of("-groupname", "secp256r1"));
        command.addAll(List.of("-ext", hosts, "-ext", "bc:c=ca:true", "-validity", "2"));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", SECRET));
        command.addAll(List.of(more));
        run(command, folder);
        try {
            KeyStore made = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                made.load(in, SECRET.toCharArray());
            }
            byte[] key = made.getKey("x", SECRET.toCharArray()).getEncoded();
            return new Certificates(
                    pem(
                            folder.resolve(name + ".crt"),
                            "CERTIFICATE",
                            made.getCertificate("x").getEncoded()),
                    pem(folder.resolve(name + ".key"), "PRIVATE KEY", key));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (GeneralSecurityException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static void run(List<String> command, Path folder) {
        try {
            Process tool = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (tool.waitFor() != 0) {
                throw new AssertionError(command + ": " + said);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stop);
        }
    }

    static Path pem(Path file, String label, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n");
    }
}
