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
        StringBuilder all = new StringBuilder();
        String innermost = "";
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException || cause instanceof GeneralSecurityException) {
                innermost = String.valueOf(cause.getMessage());
                all.append(innermost).append(' ');
            }
        }
        return innermost.isEmpty()
                ? ""
                : meaning(all.toString().toLowerCase(Locale.ROOT)) + ": " + Trouble.shortly(innermost);
    }

    private static String meaning(String words) {
        if (words.contains("fatal alert") && (words.contains("certificate") || words.contains("unknown_ca"))) {
            return "the agent wants a client certificate that it trusts (options cert and key)";
        }
        if (words.contains("no subject alternative") || words.contains("no name matching")) {
            return "the agent's certificate is for another host";
        }
        if (words.contains("notafter:") || words.contains("notbefore:")) {
            return "the agent's certificate, or one of its authorities, has expired or is not valid yet";
        }
        if (words.contains("certification path") || words.contains("path building failed")) {
            return "no trusted authority has signed the agent's certificate (option ca)";
        }
        if (words.contains("unrecognized ssl message")) {
            return "the agent speaks no TLS on this port (consul://)";
        }
        return "no secure connection";
    }
}
