package dev.tenure.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;

/**
 * An application whose beans are made by generated code, as in a native image.
 */
class AheadOfTimeTest {
    @TempDir
    Path folder;

    @Test
    void generatedCodeStartsElectsAndCloses() throws Exception {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        process(classes);
        compile(classes);
        Path log = folder.resolve("log");
        Process application = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dspring.aot.enabled=true",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                        AheadOfTimeApplication.class.getName(),
                        "--tenure.store.url=memory:",
                        "--tenure.roles.billing.lease=21s")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = application.waitFor(2, TimeUnit.MINUTES);
        application.destroyForcibly();
        String output = Files.readString(log);
        assertThat(ended).as(output).isTrue();
        assertThat(output.lines())
                .contains(
                        "led=true",
                        "lease=PT21S",
                        "run=true",
                        "elsewhere=false",
                        "injected=billing",
                        "served=true",
                        "endpoint=true",
                        "meters=true",
                        "closed=true");
    }

    private void process(Path classes) {
        Settings settings = Settings.builder()
                .sourceOutput(folder.resolve("sources"))
                .resourceOutput(classes)
                .classOutput(classes)
                .groupId("dev.tenure")
                .artifactId("ahead")
                .build();
        new SpringApplicationAotProcessor(AheadOfTimeApplication.class, settings, new String[] {
                    "--tenure.store.url=memory:",
                    "--management.endpoints.web.exposure.include=leadership",
                    "--management.endpoints.jmx.exposure.include=leadership"
                })
                .process();
    }

    private void compile(Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-cp"));
        arguments.add(classes + System.getProperty("path.separator") + System.getProperty("java.class.path"));
        try (Stream<Path> sources = Files.walk(folder.resolve("sources"))) {
            sources.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }
}
