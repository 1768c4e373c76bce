package dev.tenure.redis;

import java.util.Locale;

/**
 * The decisions, each one Lua file that Redis runs in one step.
 */
enum Script {
    ACQUIRE,
    RENEW,
    RELEASE,
    REVOKE,
    FORCE_RELEASE,
    ACCEPT_TOKEN,
    READ;

    final String text;

    /**
     * By which the server knows it once it has seen it.
     */
    final String digest;

    Script() {
        text = Lua.resource(name().toLowerCase(Locale.ROOT) + ".lua");
        digest = Lua.digest(text);
    }
}
