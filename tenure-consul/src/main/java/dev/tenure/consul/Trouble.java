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
        String tls = TlsTrouble.of(root);
        if (!tls.isEmpty()) {
            return new StoreRejectedException(where + ": TLS: " + tls, root);
        }
        return new StoreUnavailableException(where + ": " + shortly(words(root)), root);
    }

    private static String words(Throwable error) {
        if (error instanceof HttpConnectTimeoutException) {
            return "not connected in time";
        }
        if (error instanceof HttpTimeoutException) {
            return "no answer in time";
        }
        if (error instanceof ConnectException) {
            return "connection refused";
        }
        if (error instanceof CancellationException) {
            return "no answer in time";
        }
        String message = String.valueOf(error.getMessage());
        if (message.contains("received no bytes")) {
            return "the agent hung up without an answer";
        }
        return error.getClass().getSimpleName() + " " + message
                + (message.contains("http1_0") ? "; does the agent speak TLS on this port (consul+https://)?" : "");
    }

    /**
     * The answer is an error.
     *
     * @param rule of an ACL policy, that the request needs
     * @param token that was sent
     */
    static StoreException answered(String where, int status, String body, String rule, AclToken token) {
        String words = shortly(body);
        if (isUnknownToken(words)) {
            return rejected(where, "the ACL token (" + token + ") is unknown, deleted or expired", words);
        }
        if (status == 403 || status == 401 || isForbidden(words)) {
            return forbidden(where, words, rule, token);
        }
        if (words.contains("No path to datacenter")) {
            return rejected(where, "the datacenter is unknown (option datacenter)", words);
        }
        if (words.contains("Namespaces are a Consul Enterprise")) {
            return rejected(
                    where,
                    "ns must not be given, for this Consul has no namespaces (the option namespace begins keys)",
                    words);
        }
        if (words.contains("Partitions are a Consul Enterprise") || words.contains("unknown field \"Partition\"")) {
            return rejected(where, "partition must not be given, for this Consul has no admin partitions", words);
        }
        if (words.contains("HTTP request to an HTTPS server")) {
            return rejected(where, "the agent speaks TLS on this port (consul+https://)", words);
        }
        if (status == 400 || status == 301 || words.contains("Invalid Session")) {
            return new StoreRejectedException(where + ": " + status + " " + words, null);
        }
        return new StoreUnavailableException(where + ": " + status + " " + words, null);
    }

    private static StoreRejectedException rejected(String where, String why, String words) {
        return new StoreRejectedException(where + ": " + why + ": " + words, null);
    }

    static StoreRejectedException forbidden(String where, String words, String rule, AclToken token) {
        String why = token.isNone()
                ? "no ACL token is given (options token, tokenFile), and it needs "
                : "the ACL token (" + token + ") needs ";
        return new StoreRejectedException(where + ": " + words + ": " + why + rule, null);
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
