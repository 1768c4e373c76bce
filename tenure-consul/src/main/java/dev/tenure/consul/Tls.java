package dev.tenure.consul;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Certificates from PEM files, read again for a new connection after they have changed, so that renewed ones are used
 * without a restart. Connections check the agent's host name too, whatever is trusted.
 */
final class Tls {
    static final List<String> NAMES = List.of("ca", "cert", "key");

    private Tls() {}

    /**
     * Null where no file is named: then it is the JVM's own.
     *
     * @throws IllegalArgumentException if a file cannot be used
     */
    static @Nullable SSLContext context(boolean secure, Map<String, String> options) {
        for (String name : NAMES) {
            if (!secure && options.containsKey(name)) {
                throw new IllegalArgumentException(name + " must not be given without TLS: use consul+https://");
            }
        }
        if (options.containsKey("cert") != options.containsKey("key")) {
            throw new IllegalArgumentException("cert and key must be given together");
        }
        KeyManager[] own = null;
        TrustManager[] trusted = null;
        if (options.containsKey("cert")) {
            own = new KeyManager[] {new ReloadedKeys(own(file("cert", options), file("key", options)))};
        }
        if (options.containsKey("ca")) {
            trusted = new TrustManager[] {new ReloadedTrust(trusted(file("ca", options)))};
        }
        if (own == null && trusted == null) {
            return null;
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own, trusted, new SecureRandom());
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Path file(String name, Map<String, String> options) {
        return ConsulOptions.file(name, String.valueOf(options.get(name)));
    }

    private static Reloaded<X509ExtendedTrustManager> trusted(Path ca) {
        Reloaded<X509ExtendedTrustManager> trust = new Reloaded<>(Map.of("ca", ca), () -> trust(ca));
        trust.now();
        return trust;
    }

    private static X509ExtendedTrustManager trust(Path ca) {
        List<X509Certificate> authorities = Pem.certificates("ca", ca);
        try {
            KeyStore store = empty();
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("ca" + i, authorities.get(i));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException impossible) {
            throw new IllegalArgumentException("ca cannot be used: ca=" + ca, impossible);
        }
    }

    private static Reloaded<X509ExtendedKeyManager> own(Path cert, Path key) {
        Reloaded<X509ExtendedKeyManager> own = new Reloaded<>(Map.of("cert", cert, "key", key), () -> keys(cert, key));
        own.now();
        return own;
    }

    private static X509ExtendedKeyManager keys(Path cert, Path key) {
        X509Certificate[] chain = Pem.certificates("cert", cert).toArray(X509Certificate[]::new);
        PrivateKey secret = Pem.key("key", key);
        char[] password = new char[0];
        try {
            if (!belong(chain[0], secret)) {
                throw new IllegalArgumentException("key must be the one of cert: key=" + key + " cert=" + cert);
            }
            KeyStore store = empty();
            store.setKeyEntry("own", secret, password, chain);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, password);
            return (X509ExtendedKeyManager) factory.getKeyManagers()[0];
        } catch (GeneralSecurityException impossible) {
            throw new IllegalArgumentException("cert cannot be used: cert=" + cert, impossible);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, null);
        } catch (IOException impossible) {
            throw new GeneralSecurityException(impossible);
        }
        return store;
    }

    private static boolean belong(X509Certificate certificate, PrivateKey key) throws GeneralSecurityException {
        String algorithm = key.getAlgorithm();
        if (!algorithm.equals(certificate.getPublicKey().getAlgorithm())) {
            return false;
        }
        Signature signature = Signature.getInstance(
                switch (algorithm) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> algorithm;
                });
        byte[] text = {1, 2, 3};
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(text);
        return signature.verify(signed);
    }
}
