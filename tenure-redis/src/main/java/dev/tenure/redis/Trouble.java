package dev.tenure.redis;

import dev.tenure.StoreException;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLException;

/**
 * What an error of server or driver means to a call. Told by the beginning of the message, since wrappers change classes.
 */
enum Trouble {
    /**
     * The script is not in the server's cache, and was not run.
     */
    NO_SCRIPT,
    /**
     * Somebody has to change something: credentials, permissions, the address.
     */
    REJECTED,
    /**
     * Not the server that takes writes: connect anew, to whichever is now.
     */
    ELSEWHERE,
    /**
     * Anything else, and unknown whether it was done.
     */
    UNAVAILABLE;

    static Throwable rootOf(Throwable error) {
        Throwable root = error;
        while ((root instanceof CompletionException || root instanceof ExecutionException) && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    static Trouble of(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SslHandshakeTimeoutException) {
                return UNAVAILABLE;
            }
            if (cause instanceof SSLException || cause instanceof GeneralSecurityException) {
                return REJECTED;
            }
            Trouble told = of(String.valueOf(cause.getMessage()));
            if (told != UNAVAILABLE) {
                return told;
            }
        }
        return UNAVAILABLE;
    }

    private static Trouble of(String message) {
        String code = message.split("[ :]", 2)[0];
        return switch (code) {
            case "NOSCRIPT" -> NO_SCRIPT;
            case "READONLY", "MASTERDOWN" -> ELSEWHERE;
            case "NOAUTH", "WRONGPASS", "NOPERM", "DENIED" -> REJECTED;
            case "ERR" -> isRefusal(message) ? REJECTED : ofScript(message);
            default -> ofScript(message);
        };
    }

    private static boolean isRefusal(String message) {
        return message.startsWith("ERR invalid password")
                || message.startsWith("ERR AUTH ")
                || message.startsWith("ERR Client sent AUTH")
                || message.startsWith("ERR unknown command")
                || message.startsWith("ERR DB index is out of range")
                || message.startsWith("ERR invalid DB index")
                || message.startsWith("ERR SELECT is not allowed");
    }

    /**
     * What a command inside a script met is told in the script's error.
     */
    private static Trouble ofScript(String message) {
        if (message.contains("READONLY ")) {
            return ELSEWHERE;
        }
        boolean denied = message.contains("NOPERM")
                || message.contains("user executing the script can't")
                || message.contains("has no permissions");
        return denied || message.contains("WRONGTYPE ") ? REJECTED : UNAVAILABLE;
    }

    /**
     * Where a script met a missing right, the server does not say which.
     */
    static String hint(String said) {
        return said.contains("user executing the script can't") ? "; tenure doctor names the missing right" : "";
    }

    /**
     * The exception that tells it to the engine.
     *
     * @param where the server, for people
     */
    static StoreException asStoreException(String where, Throwable error) {
        Throwable root = rootOf(error);
        if (root instanceof StoreException already) {
            return already;
        }
        String said = words(root);
        String line = where + ": " + said + hint(said);
        return of(root) == REJECTED
                ? new StoreRejectedException(line, root)
                : new StoreUnavailableException(line, root);
    }

    /**
     * The error that the server answered a command with; none if there was no answer, or no connection.
     */
    static Optional<String> answerOf(Throwable failure) {
        Throwable root = rootOf(failure);
        Throwable cause = root instanceof StoreException ? root.getCause() : root;
        return cause instanceof RedisCommandExecutionException ? Optional.of(words(cause)) : Optional.empty();
    }

    /**
     * The server's own words, if it said any.
     */
    static String shortly(Throwable failure) {
        return answerOf(failure).orElseGet(() -> words(rootOf(failure)));
    }

    /**
     * The innermost message: the driver's outer ones say only that something failed.
     */
    private static String words(Throwable error) {
        if (error instanceof CancellationException) {
            return "the call was given up";
        }
        Throwable innermost = error;
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SslHandshakeTimeoutException) {
                return "the TLS handshake was not answered; does the server speak TLS on this port?";
            }
        }
        while (innermost.getCause() != null && !(innermost instanceof RedisCommandExecutionException)) {
            innermost = innermost.getCause();
        }
        String message = innermost.getMessage();
        String own = message == null || message.isBlank() ? innermost.getClass().getSimpleName() : message;
        return own.replaceAll("\\p{Cntrl}+", " ").trim();
    }
}
