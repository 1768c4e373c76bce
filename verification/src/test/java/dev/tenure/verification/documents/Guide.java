package dev.tenure.verification.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The text of a guide, and what stands in it.
 */
record Guide(String text) {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    static Guide of(String file) {
        return new Guide(read(ROOT.resolve("docs/guides").resolve(file)));
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * From a heading to the next one of any level.
     */
    Guide section(String heading) {
        String[] halves = text.split("(?m)^#+ " + Pattern.quote(heading) + "$", 2);
        if (halves.length < 2) {
            throw new AssertionError("no heading: " + heading);
        }
        return new Guide(halves[1].split("(?m)^#+ ", 2)[0]);
    }

    /**
     * The cells of its tables, without headers.
     */
    List<List<String>> rows() {
        return text.lines()
                .filter(line -> line.startsWith("| ") && !isHeader(line))
                .map(line -> Arrays.stream(
                                line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private boolean isHeader(String line) {
        int next = text.indexOf(line) + line.length() + 1;
        return text.startsWith("|---", next);
    }

    /**
     * What stands in fences of this kind.
     */
    List<String> blocks(String kind) {
        return Pattern.compile("```" + kind + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }
}
