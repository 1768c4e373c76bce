package dev.tenure.jdbc;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a store over a database may be told, besides where the database is.
 *
 * @param namespace begins every key in the table
 * @param table a name, optionally with its schema before a dot
 * @param counter tokens are counted instead of made from the time
 */
record JdbcOptions(String namespace, String table, boolean counter) {
    static final String DEFAULT_TABLE = "tenure_lease";
    static final int LONGEST_KEY = 512;

    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");

    static JdbcOptions of(Map<String, String> options, Set<String> known) {
        for (String name : options.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "option is unknown: option=" + name + " known=" + new TreeSet<>(known));
            }
        }
        String namespace = options.getOrDefault("namespace", "");
        if (namespace.length() >= LONGEST_KEY / 2) {
            throw new IllegalArgumentException(
                    "namespace must be shorter than " + LONGEST_KEY / 2 + " characters: " + namespace.length());
        }
        return new JdbcOptions(
                namespace,
                checkedTable(options.getOrDefault("table", DEFAULT_TABLE)),
                isCounter(options.getOrDefault("tokens", "formula")));
    }

    static String checkedTable(String table) {
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException(
                    "table must be a name of letters, digits and _, or schema.name of such: table=" + table);
        }
        return table;
    }

    private static boolean isCounter(String tokens) {
        return switch (tokens) {
            case "formula" -> false;
            case "counter" -> true;
            default -> throw new IllegalArgumentException("tokens must be formula or counter: tokens=" + tokens);
        };
    }
}
