package dev.tenure.redis;

/**
 * The name of the fence of a key: in the key's slot of a Cluster, and no two keys share one.
 */
final class FenceKey {
    private static final String SUFFIX = ":tenure-fence";

    private FenceKey() {}

    /**
     * {@code {key}:tenure-fence}; {@code key::tenure-fence} if the key has a hash tag, since {@code a} and
     * <code>{a}</code> are two keys.
     *
     * @throws IllegalArgumentException if the key is a fence's name itself, or neither name shares its slot: an empty
     *     key, or one with a <code>}</code> but no hash tag
     */
    static String of(String key) {
        if (key.endsWith(SUFFIX)) {
            throw new IllegalArgumentException("a fence has no fence: key=" + key);
        }
        String fence = hasTag(key) ? key + ":" + SUFFIX : "{" + key + "}" + SUFFIX;
        if (Slots.of(key) != Slots.of(fence)) {
            throw new IllegalArgumentException(
                    "fence cannot share the key's Cluster slot: a key must not be empty, nor have } without a {hash tag}:"
                            + " key=" + key);
        }
        return fence;
    }

    private static boolean hasTag(String key) {
        int open = key.indexOf('{');
        return open >= 0 && key.indexOf('}', open) > open + 1;
    }
}
