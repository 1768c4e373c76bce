package dev.tenure.cli;

import dev.tenure.ElectionOptions;
import dev.tenure.spi.StoreTraits;

/**
 * Roles and their keys in a store, by the format that elections use unless they name another.
 */
final class Roles {
    private Roles() {}

    /**
     * The key of a role.
     *
     * @throws dev.tenure.InvalidOptionsException if the role is none
     */
    static String key(String role, StoreTraits store) {
        return ElectionOptions.defaults().resolveKey(role, store);
    }

    /**
     * The role of a key, or the key itself if another format made it.
     */
    static String role(String key, StoreTraits store) {
        String format = store.defaultKeyFormat();
        int at = format.indexOf("{role}");
        String before = format.substring(0, Math.max(0, at));
        String after = at < 0 ? "" : format.substring(at + "{role}".length());
        boolean made = at >= 0
                && key.length() > before.length() + after.length()
                && key.startsWith(before)
                && key.endsWith(after);
        return made ? key.substring(before.length(), key.length() - after.length()) : key;
    }
}
