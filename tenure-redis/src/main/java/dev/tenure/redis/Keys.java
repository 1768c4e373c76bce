package dev.tenure.redis;

import dev.tenure.StoreRejectedException;
import org.jspecify.annotations.Nullable;

/**
 * Where things are: names of records, their counters, and the channel. A record and what belongs to it are in one slot
 * of a Cluster, whatever the key.
 */
abstract class Keys {
    private static final String COUNTER = ":fence";
    private static final String MARK = ":fence:accepted";
    private static final String ROOT = "lock:";

    private final String prefix;
    private final String channel;

    private Keys(String prefix, String channel) {
        this.prefix = prefix;
        this.channel = channel;
    }

    /**
     * {@code <namespace>:lock:<key>}, the namespace in braces if its keys are to share a slot.
     */
    static Keys inNamespace(String namespace, boolean oneSlot) {
        String beginning = (oneSlot ? "{" + namespace + "}" : namespace) + ":";
        return new InNamespace(beginning);
    }

    /**
     * {@code <prefix>{<key>}}: a slot for each key.
     */
    static Keys withPrefix(String prefix) {
        return new WithPrefix(prefix);
    }

    /**
     * The key of the record.
     *
     * @throws StoreRejectedException if the key would be another's counter
     */
    abstract String record(String key);

    /**
     * The key that a record's name says; null if it is not a record's name.
     */
    abstract @Nullable String keyOf(String record);

    static String counter(String record) {
        return record + COUNTER;
    }

    static String mark(String record) {
        return record + MARK;
    }

    /**
     * On which releases are told: one for all keys.
     */
    String channel() {
        return channel;
    }

    /**
     * Matches all records, and their counters.
     */
    String pattern() {
        return prefix.replaceAll("([\\[\\]*?\\\\^-])", "\\\\$1") + "*";
    }

    /**
     * With what the name of every key begins.
     */
    String prefix() {
        return prefix;
    }

    private static final class InNamespace extends Keys {
        InNamespace(String beginning) {
            super(beginning + ROOT, beginning + "changes");
        }

        @Override
        String record(String key) {
            if (isBeside(key)) {
                throw new StoreRejectedException(
                        "key must not end like a counter's, in " + COUNTER + " or " + MARK + ": key=" + key, null);
            }
            return prefix() + key;
        }

        @Override
        @Nullable
        String keyOf(String record) {
            boolean is = record.startsWith(prefix()) && !isBeside(record);
            return is ? record.substring(prefix().length()) : null;
        }

        private static boolean isBeside(String name) {
            return name.endsWith(COUNTER) || name.endsWith(MARK);
        }
    }

    private static final class WithPrefix extends Keys {
        /**
         * An empty tag is none: the whole name would decide the slot, another one for the counter.
         */
        private static final String FILLER = " ";

        WithPrefix(String prefix) {
            super(prefix, prefix + "changes");
            String record = record("k");
            if (Slots.of(record) != Slots.of(counter(record))) {
                throw new IllegalArgumentException("prefix must not have empty braces: prefix=" + prefix);
            }
        }

        @Override
        String record(String key) {
            if (key.startsWith(FILLER + "}")) {
                throw new StoreRejectedException("key must not begin with a blank and a brace: key=" + key, null);
            }
            return prefix() + "{" + (key.startsWith("}") ? FILLER : "") + key + "}";
        }

        @Override
        @Nullable
        String keyOf(String record) {
            if (!record.startsWith(prefix() + "{") || !record.endsWith("}")) {
                return null;
            }
            String key = record.substring(prefix().length() + 1, record.length() - 1);
            return key.startsWith(FILLER + "}") ? key.substring(1) : key;
        }
    }
}
