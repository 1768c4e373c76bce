package dev.tenure.consul;

import dev.tenure.StoreException;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLException;

/**
 * What an error of agent or network means to a call.
 */
final class Trouble {
    private static final int LONGEST = 200;

    private Trouble() {}

    static Throwable rootOf(Throwable error) {
        Throwable root = error;
        while ((root instanceof CompletionException || root instanceof ExecutionException) && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /**
     * There was no answer.
     */
    static StoreException unanswered(String where, Throwable error) {
        Throwable root = rootOf(error);
        if (root instanceof StoreException already) {
            return already;
        }
        for (Throwable cause = root; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return new StoreRejectedException(
                        where + ": TLS: " + shortly(String.valueOf(cause.getMessage())), root);
            }
        }
        String words = root instanceof HttpConnectTimeoutException
                ? "not connected in time"
                : root instanceof HttpTimeoutException
                        ? "no answer in time"
                        : root instanceof ConnectException
                                ? "connection refused"
                                : root instanceof CancellationException
                                        ? "the call was given up"
                                        : root.getClass().getSimpleName() + " " + root.getMessage();
        return new StoreUnavailableException(where + ": " + shortly(words), root);
    }

    /**
     * The answer is an error.
     *
     * @param rule of an ACL policy, that the request needs
     */
    static StoreException answered(String where, int status, String body, String rule) {
        String words = shortly(body);
        if (isUnknownToken(words)) {
            return new StoreRejectedException(where + ": the ACL token is unknown: " + words, null);
        }
        if (status == 403 || status == 401 || isForbidden(words)) {
            return forbidden(where, words, rule);
        }
        if (words.contains("No path to datacenter")) {
            return new StoreRejectedException(where + ": the datacenter is unknown: " + words, null);
        }
        if (status == 400 || status == 301 || words.contains("Invalid Session")) {
            return new StoreRejectedException(where + ": " + status + " " + words, null);
        }
        return new StoreUnavailableException(where + ": " + status + " " + words, null);
    }

    static StoreRejectedException forbidden(String where, String words, String rule) {
        return new StoreRejectedException(where + ": " + words + ": the ACL token needs " + rule, null);
    }

    static boolean isForbidden(String words) {
        return words.contains("Permission denied");
    }

    private static boolean isUnknownToken(String words) {
        return words.contains("ACL not found");
    }

    static String shortly(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ").trim();
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    }
}
