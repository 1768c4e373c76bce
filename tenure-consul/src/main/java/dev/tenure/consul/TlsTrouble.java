package dev.tenure.consul;

import java.security.GeneralSecurityException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/**
 * Why a secure connection did not come about, and which option may change that.
 */
final class TlsTrouble {
    private TlsTrouble() {}

    /**
     * Empty if it is no trouble of TLS.
     */
    static String of(Throwable error) {
        String words = "";
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException || cause instanceof GeneralSecurityException) {
                words += " " + cause.getMessage(); // the innermost says most
            }
        }
        return words.isEmpty() ? "" : meaning(words.toLowerCase(Locale.ROOT)) + ": " + Trouble.shortly(words);
    }

    private static String meaning(String words) {
        if (words.contains("certification path") || words.contains("path building failed")) {
            return "no authority that is trusted has signed the agent's certificate (option ca)";
        }
        return "failed";
    }
}
