package dev.tenure.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.LeaderElector;
import dev.tenure.Leadership;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application that has this one dependency, and a driver.
 */
@ExtendWith(OutputCaptureExtension.class)
class StarterTest {
    @TempDir
    Path folder;

    @Test
    void R014_oneDependencyElects() throws InterruptedException {
        try (ConfigurableApplicationContext context = run("jdbc:sqlite:" + folder.resolve("elections.db"))) {
            assertThat(context.getBean(Leadership.class).awaitLeadership(Duration.ofMinutes(2)))
                    .isPresent();
        }
    }

    @Test
    void R014_everyStoreIsThere() {
        for (String url : List.of("redis://127.0.0.1:1", "consul://127.0.0.1:1", "memory:")) {
            try (ConfigurableApplicationContext context = run(url, "--tenure.start=manual")) {
                assertThat(context.getBean(LeaderElector.class).role()).as(url).isEqualTo("billing");
            }
        }
    }

    @Test
    void aMissingDriverIsNamedInOneFailureAnalysis(CapturedOutput output) {
        assertThatThrownBy(() -> run("jdbc:postgresql://localhost/app")).isNotNull();
        assertThat(output.getAll())
                .contains(
                        "APPLICATION FAILED TO START",
                        "tenure.store.url cannot be used",
                        "add the driver org.postgresql:postgresql");
    }

    @Test
    void itBringsNoWebServerClientOrDatabaseOfItsOwn() {
        try (ConfigurableApplicationContext context = run("memory:", "--tenure.start=manual")) {
            assertThat(WebApplicationType.deduce()).isEqualTo(WebApplicationType.NONE);
            List<String> foreign = Arrays.stream(context.getBeanDefinitionNames())
                    .filter(name -> {
                        String source = String.valueOf(context.getBeanFactory()
                                .getMergedBeanDefinition(name)
                                .getResourceDescription());
                        return source.contains("redis") || source.contains("netty") || source.contains("jdbc");
                    })
                    .toList();
            assertThat(foreign).isEmpty();
            assertThat(ConditionEvaluationReport.get(context.getBeanFactory())
                            .getConditionAndOutcomesBySource()
                            .entrySet())
                    .filteredOn(each -> each.getValue().isFullMatch())
                    .extracting(each -> each.getKey().replaceFirst("#.*", ""))
                    .filteredOn(source -> !source.startsWith("dev.tenure."))
                    .allMatch(source -> source.startsWith("org.springframework.boot.autoconfigure."));
            assertThat(context.getBeanDefinitionNames())
                    .noneMatch(name -> name.toLowerCase(java.util.Locale.ROOT).contains("meterregistry"));
        }
    }

    private static ConfigurableApplicationContext run(String url, String... more) {
        List<String> arguments = new java.util.ArrayList<>(List.of(more));
        arguments.add("--tenure.store.url=" + url);
        arguments.add("--tenure.roles.billing.lease=15s");
        return SpringApplication.run(Application.class, arguments.toArray(String[]::new));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
