package dev.tenure.redis;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an error of the driver, or an error reply, means to a user of the fence. Told by the first word of the reply,
 * since the driver has classes for few of them.
 */
final class FenceErrors {
    private static final String FENCED = "TENURE_FENCED";
    private static final String UNUSABLE = "TENURE_FENCE_UNUSABLE";

    private static final Set<String> REJECTED = Set.of("NOPERM", "NOAUTH", "WRONGPASS");
    private static final Set<String> UNAVAILABLE = Set.of(
            "READONLY",
            "LOADING",
            "OOM",
            "CLUSTERDOWN",
            "MASTERDOWN",
            "TRYAGAIN",
            "MOVED",
            "ASK",
            "MISCONF",
            "NOREPLICAS",
            "BUSY");

    /**
     * Before Redis 7 an error within a script is wrapped; those of the server itself, but not of a command, then have
     * a dash.
     */
    private static final Pattern WRAPPED = Pattern.compile("^ERR Error running script .*?: -([A-Z]+) ");

    /**
     * Missing rights within a script have no word of their own: Redis 6 and 7.0, then 7.2 and Valkey.
     */
    private static final Pattern NO_RIGHTS =
            Pattern.compile("^ERR .*(The user executing the script can't |ACL failure in script: )");

    private FenceErrors() {}

    /**
     * Whether the server does not have the script (any more), and nothing of it ran.
     */
    static boolean isUnknownScript(Throwable thrown) {
        return Trouble.rootOf(thrown) instanceof RedisCommandExecutionException refused
                && word(refused).equals("NOSCRIPT");
    }

    /**
     * The answers of the guard included.
     */
    static Throwable ofGuarded(Throwable thrown, FencingToken token, String fence) {
        if (Trouble.rootOf(thrown) instanceof RedisCommandExecutionException refused) {
            String word = word(refused);
            if (word.equals(FENCED)) {
                return new FencedOutException(
                        token, Long.parseLong(text(refused).substring(FENCED.length() + 1)));
            }
            if (word.equals(UNUSABLE)) {
                return new StoreRejectedException("fence holds something else than a token: key=" + fence, refused);
            }
        }
        return of(thrown);
    }

    /**
     * An error that only the script or its keys can have caused stays as it is.
     */
    static Throwable of(Throwable thrown) {
        Throwable cause = Trouble.rootOf(thrown);
        if (isRejection(cause)) {
            return new StoreRejectedException("redis refuses: " + cause.getMessage(), cause);
        }
        if (cause instanceof RedisCommandExecutionException refused) {
            return UNAVAILABLE.contains(word(refused))
                    ? new StoreUnavailableException("redis cannot write now: " + text(refused), refused)
                    : refused;
        }
        if (cause instanceof RedisException || cause instanceof IOException || cause instanceof CancellationException) {
            return new StoreUnavailableException("redis did not answer: " + cause.getMessage(), cause);
        }
        return cause;
    }

    /**
     * Itself, or why a connection could not be made for it.
     */
    private static boolean isRejection(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException refused
                    && (REJECTED.contains(word(refused))
                            || NO_RIGHTS.matcher(text(refused)).find())) {
                return true;
            }
        }
        return false;
    }

    private static String word(RedisCommandExecutionException refused) {
        String text = text(refused);
        Matcher wrapped = WRAPPED.matcher(text);
        if (wrapped.find()) {
            return wrapped.group(1);
        }
        int end = text.indexOf(' ');
        return end < 0 ? text : text.substring(0, end);
    }

    private static String text(RedisCommandExecutionException refused) {
        String message = refused.getMessage();
        return message == null ? "" : message;
    }
}
