package dev.tenure.consul;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * PEM files. Messages name option and file, and nothing of what is in it.
 */
final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]++)-----END \\1-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private Pem() {}

    /**
     * All of a file, in its order.
     */
    static List<X509Certificate> certificates(String option, Path file) {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Map.Entry<String, byte[]> block : blocks(option, file)) {
                if (block.getKey().equals("CERTIFICATE")) {
                    certificates.add(
                            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.getValue())));
                }
            }
        } catch (CertificateException broken) {
            certificates.clear();
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException(option + " must be a PEM file of certificates: " + option + "=" + file);
        }
        return certificates;
    }

    /**
     * The first of a file: PKCS#8, or the older forms of OpenSSL and of Consul's own tool.
     */
    static PrivateKey key(String option, Path file) {
        for (Map.Entry<String, byte[]> block : blocks(option, file)) {
            byte[] pkcs8 = switch (block.getKey()) {
                case "PRIVATE KEY" -> block.getValue();
                case "RSA PRIVATE KEY" -> Der.ofRsa(block.getValue());
                case "EC PRIVATE KEY" -> Der.ofEc(block.getValue());
                default -> new byte[0];
            };
            for (String algorithm : pkcs8.length == 0 ? List.<String>of() : ALGORITHMS) {
                try {
                    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
                } catch (GeneralSecurityException another) {
                    // of another algorithm, or broken
                }
            }
        }
        throw new IllegalArgumentException(option
                + " must be a PEM file with a private key, RSA or EC, without a password: " + option + "=" + file);
    }

    /**
     * Labels and contents.
     */
    private static List<Map.Entry<String, byte[]>> blocks(String option, Path file) {
        List<Map.Entry<String, byte[]>> blocks = new ArrayList<>();
        try {
            Matcher matcher = BLOCK.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
            while (matcher.find()) {
                blocks.add(Map.entry(matcher.group(1), Base64.getMimeDecoder().decode(matcher.group(2))));
            }
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(Reloaded.unreadable(option, file), unreadable);
        } catch (IllegalArgumentException broken) {
            blocks.clear(); // no Base64
        }
        return blocks;
    }
}
