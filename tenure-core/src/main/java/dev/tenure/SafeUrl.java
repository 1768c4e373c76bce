package dev.tenure;

/**
 * URLs without what must not be printed.
 */
final class SafeUrl {
    private static final int LONGEST = 40;

    private SafeUrl() {}

    /**
     * The beginning of a URL up to its scheme: of one that nobody here knows, nothing says where a password may stand.
     */
    static String shown(String url) {
        int colon = url.indexOf(':');
        if (url.startsWith("jdbc:")) {
            colon = url.indexOf(':', 5);
        }
        String scheme = colon < 0 ? url : url.substring(0, colon + 1);
        String line = scheme.replaceAll("[^A-Za-z0-9+.:_-]", "?");
        return (line.length() <= LONGEST ? line : line.substring(0, LONGEST)) + (colon < 0 ? "" : "…");
    }
}
