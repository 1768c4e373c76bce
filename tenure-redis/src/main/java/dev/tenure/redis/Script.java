package dev.tenure.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The decisions, each one Lua file that Redis runs in one step.
 */
enum Script {
    ACQUIRE,
    RENEW,
    RELEASE,
    REVOKE,
    FORCE_RELEASE,
    ACCEPT_TOKEN,
    READ;

    final String text;

    /**
     * By which the server knows it once it has seen it.
     */
    final String digest;

    Script() {
        String file = name().toLowerCase(Locale.ROOT) + ".lua";
        try (InputStream in = Script.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("not in the jar: " + file);
            }
            byte[] bytes = in.readAllBytes();
            text = new String(bytes, StandardCharsets.UTF_8);
            digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // every Java has it
        }
    }
}
