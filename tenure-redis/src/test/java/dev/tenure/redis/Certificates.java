package dev.tenure.redis;

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
 * A self-signed certificate for 127.0.0.1 and its key, as PEM files, made by the JDK's own tool.
 */
record Certificates(Path certificate, Path key) {
    private static final String SECRET = "changeit";

    static Certificates make(Path folder, String name) {
        Path store = folder.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair"));
        command.addAll(List.of("-alias", "x", "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=" + name));
        command.addAll(List.of("-ext", "san=ip:127.0.0.1,dns:localhost", "-ext", "bc:c=ca:true", "-validity", "2"));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", SECRET));
        try {
            Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (tool.waitFor() != 0) {
                throw new AssertionError(said);
            }
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
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stop);
        }
    }

    private static Path pem(Path file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
