package dev.tenure.consul;

import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the ACL token of each request comes from. As text it says where, and never the token.
 */
abstract class AclToken {
    private static final int LONGEST = 4096;

    private final String origin;

    private AclToken(String origin) {
        this.origin = origin;
    }

    /**
     * As it is now; empty for none. Asked on the thread that sends the request.
     *
     * @param where the agent, for messages
     * @throws dev.tenure.StoreException if there should be one and is none
     */
    abstract String now(String where);

    /**
     * Whether requests are sent without one.
     */
    boolean isNone() {
        return false;
    }

    @Override
    public String toString() {
        return origin;
    }

    private static boolean isVisible(String token) {
        return token.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    /**
     * @param token empty for none
     */
    static AclToken of(String token) {
        if (!isVisible(token)) {
            throw new IllegalArgumentException("token must be of visible ASCII characters");
        }
        return new AclToken("option token") {
            @Override
            String now(String where) {
                return token;
            }

            @Override
            boolean isNone() {
                return token.isEmpty();
            }
        };
    }

    /**
     * What it throws is the failure's cause, and says nothing about the store: the request counts as unanswered.
     */
    static AclToken from(Supplier<? extends @Nullable String> supplier) {
        return new AclToken("token supplier") {
            @Override
            String now(String where) {
                @Nullable String token;
                try {
                    token = supplier.get();
                } catch (Throwable thrown) { // an Error too must not take the request's turn with it
                    throw new StoreUnavailableException(
                            where + ": the token supplier threw "
                                    + thrown.getClass().getName(),
                            thrown);
                }
                if (token == null || token.isEmpty() || !isVisible(token)) {
                    throw new StoreRejectedException(
                            where + ": the token supplier must give visible ASCII characters: it gave "
                                    + (token == null || token.isEmpty() ? "nothing" : "others"),
                            null);
                }
                return token;
            }
        };
    }

    /**
     * The content of a file, which may not be there yet.
     */
    static AclToken in(Path file) {
        Reloaded<String> content = new Reloaded<>(Map.of("tokenFile", file), () -> read(file));
        return new AclToken("tokenFile=" + file) {
            @Override
            String now(String where) {
                try {
                    return content.now();
                } catch (IllegalArgumentException unusable) {
                    throw new StoreRejectedException(where + ": " + unusable.getMessage(), unusable);
                }
            }
        };
    }

    private static String read(Path file) {
        String token;
        try (InputStream in = Files.newInputStream(file)) {
            token = new String(in.readNBytes(LONGEST), StandardCharsets.ISO_8859_1).strip();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(Reloaded.unreadable("tokenFile", file), unreadable);
        }
        if (token.isEmpty() || !isVisible(token)) {
            throw new IllegalArgumentException(
                    "tokenFile must hold a token, of visible ASCII characters: tokenFile=" + file);
        }
        return token;
    }
}
