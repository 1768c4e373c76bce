package dev.tenure.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Columns of text, each as wide as its widest cell, the last one open.
 */
final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final int columns;

    Table(String... header) {
        columns = header.length;
        rows.add(List.of(header));
    }

    /**
     * Adds a row of as many cells as the header has; an empty cell shows as a dash.
     */
    void add(Object... cells) {
        if (cells.length != columns) {
            throw new IllegalArgumentException("a row needs " + columns + " cells: " + cells.length);
        }
        rows.add(Arrays.stream(cells).map(String::valueOf).map(Table::shown).toList());
    }

    private static String shown(String cell) {
        return cell.isEmpty() ? "-" : cell;
    }

    List<String> lines() {
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            String cell = row.get(i);
            line.append(cell);
            if (i < row.size() - 1) {
                line.append(" ".repeat(widths[i] - width(cell))).append(GAP);
            }
        }
        return line.toString().stripTrailing();
    }
}
