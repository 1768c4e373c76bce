package dev.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.stream.Collectors;

/**
 * A script with the guard before it, as the server gets it.
 */
final class FenceScript {
    private static final String GUARD = oneLine(Lua.resource("fence_guard.lua"));
    private static final FenceScript SET = guarded(Lua.resource("fence_set.lua"));

    private final byte[] text;
    private final String sha1;

    private FenceScript(String text) {
        this.text = text.getBytes(UTF_8);
        this.sha1 = Lua.digest(text);
    }

    static FenceScript set() {
        return SET;
    }

    /**
     * The guard goes before the first line, or after a line with flags, {@code #!lua …}, which the server wants first:
     * either way an error names the line that it has in the script.
     */
    static FenceScript guarded(String script) {
        int begin = 0;
        if (script.startsWith("#!")) {
            int end = script.indexOf('\n');
            begin = end < 0 ? script.length() : end + 1;
        }
        return new FenceScript(script.substring(0, begin) + GUARD + " " + script.substring(begin));
    }

    byte[] text() {
        return text.clone();
    }

    /**
     * The name under which the server keeps it, in lower-case hexadecimal.
     */
    String digest() {
        return sha1;
    }

    private static String oneLine(String lua) {
        return lua.lines()
                .map(String::strip)
                .filter(line -> !line.startsWith("--"))
                .collect(Collectors.joining(" "));
    }
}
