package dev.tenure.cli;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Passwords of the URLs that the command was given, and text without them. The last guard: what prints them leaves them
 * out already, but drivers have messages of their own.
 */
final class Secrets {
    private static final String HIDDEN = "***";
    private static final Pattern USER_INFO = Pattern.compile("//([^/?#@\\s:]*):([^/?#\\s]*)@");
    /**
     * Redis URLs may have a password and no user.
     */
    private static final Pattern PASSWORD_ONLY = Pattern.compile("(\\brediss?(?:-[a-z]+)?://)([^/?#@\\s:]+)@");

    /**
     * Consul calls its token just that, and so do many things that are no secrets: only where URLs have parameters.
     */
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)((?:password|passwd|pwd|secret|(?<=[?&])token)=)([^&;\\s'\"]+)");

    private static final int SHORTEST = 3;

    private final Set<String> words = new LinkedHashSet<>();
    private Pattern known = Pattern.compile("(?!)");

    /**
     * Reads the secrets of all texts that have any, URLs among command line arguments for instance.
     */
    static Secrets of(Collection<String> texts) {
        Secrets secrets = new Secrets();
        texts.forEach(secrets::learn);
        secrets.known = secrets.pattern();
        return secrets;
    }

    private void learn(String text) {
        Matcher user = USER_INFO.matcher(text);
        while (user.find()) {
            add(user.group(2));
        }
        Matcher password = PASSWORD_ONLY.matcher(text);
        while (password.find()) {
            add(password.group(2));
        }
        Matcher parameter = PARAMETER.matcher(text);
        while (parameter.find()) {
            add(parameter.group(2));
            add(parameter.group(2).split("#", 2)[0]); // where a fragment follows
        }
    }

    private void add(String word) {
        words.add(word);
        try {
            words.add(URLDecoder.decode(word, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException notEncoded) {
            // as it is, then
        }
    }

    private Pattern pattern() {
        String any = words.stream()
                .filter(word -> word.length() >= SHORTEST)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        return any.isEmpty() ? known : Pattern.compile("(?<![\\p{L}\\p{N}])(?:" + any + ")(?![\\p{L}\\p{N}])");
    }

    /**
     * The text without user information, parameters that are passwords, and every known password wherever it stands.
     */
    String hide(String text) {
        return known.matcher(hideUrl(text)).replaceAll(HIDDEN);
    }

    /**
     * A URL without user information and passwords.
     */
    static String hideUrl(String url) {
        String noUser = USER_INFO.matcher(url).replaceAll("//" + HIDDEN + "@");
        String noPassword = PASSWORD_ONLY.matcher(noUser).replaceAll("$1" + HIDDEN + "@");
        return PARAMETER.matcher(noPassword).replaceAll("$1" + HIDDEN);
    }
}
