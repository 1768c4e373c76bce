package dev.tenure.verification.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the documents show is compiled, and what they point at exists.
 */
class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]+)(?:#[^)]*)?\\)");

    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

    @Test
    void everyJavaSnippetIsCompiled() throws IOException {
        String compiled = flat(examples());
        int snippets = 0;
        for (Path document : documents()) {
            Matcher matcher = JAVA.matcher(read(document));
            while (matcher.find()) {
                snippets++;
                assertThat(compiled).as(document + ":\n" + matcher.group(1)).contains(flat(matcher.group(1)));
            }
        }
        assertThat(snippets).isPositive();
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            Matcher matcher = LINK.matcher(read(document));
            while (matcher.find()) {
                if (!Files.exists(document.resolveSibling(matcher.group(1)))) {
                    broken.add(ROOT.relativize(document) + " → " + matcher.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyTestThatTheRequirementsNameExists() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (Path folder : sourceFolders()) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    sources.put(file.getFileName().toString().replace(".java", ""), read(file));
                }
            }
        }
        List<String> missing = new ArrayList<>();
        Matcher matcher = TEST.matcher(read(ROOT.resolve("docs/requirements.md")));
        int named = 0;
        while (matcher.find()) {
            named++;
            if (!sources.getOrDefault(matcher.group(1), "").contains("void " + matcher.group(2) + "(")) {
                missing.add(matcher.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(named).isGreaterThan(100);
    }

    private static String examples() throws IOException {
        StringBuilder all = new StringBuilder();
        List<Path> folders = new ArrayList<>(exampleFolders());
        folders.add(ROOT.resolve("verification/src/test/java/dev/tenure/verification/documents"));
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                        .sorted()
                        .toList()) {
                    all.append(read(file)).append('\n');
                }
            }
        }
        return all.toString();
    }

    /**
     * Elsewhere files come and go meanwhile.
     */
    private static List<Path> sourceFolders() throws IOException {
        try (Stream<Path> top = Files.list(ROOT)) {
            return Stream.concat(top.map(module -> module.resolve("src")), exampleFolders().stream())
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    /**
     * Sources of the applications in {@code examples}, which the build compiles and runs.
     */
    private static List<Path> exampleFolders() throws IOException {
        try (Stream<Path> examples = Files.list(ROOT.resolve("examples"))) {
            return examples.map(example -> example.resolve("src"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples"), 2)) {
            return Stream.concat(Stream.concat(top, docs), examples)
                    .filter(file -> file.toString().endsWith(".md"))
                    .collect(Collectors.toList());
        }
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file);
    }

    /**
     * Without indentation and line breaks.
     */
    private static String flat(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
