package dev.tenure;

import java.util.regex.Pattern;

/**
 * URLs without what must not be printed.
 */
final class SafeUrl {
    private static final Pattern USER_INFO = Pattern.compile("//[^/?#@]*@");
    private static final Pattern SECRET = Pattern.compile("(?i)((?:password|passwd|pwd|secret|token)=)[^&;]*");

    private SafeUrl() {}

    /**
     * The URL with user information and passwords replaced, cut where it is too long for a message.
     */
    static String shown(String url) {
        String hidden =
                SECRET.matcher(USER_INFO.matcher(url).replaceAll("//***@")).replaceAll("$1***");
        String line = hidden.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= 200 ? line : line.substring(0, 200) + "…";
    }
}
