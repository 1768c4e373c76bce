package dev.tenure.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.LeaderElector;
import dev.tenure.Leadership;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/**
 * Applications as {@link SpringApplication} starts them.
 */
@ExtendWith(OutputCaptureExtension.class)
class WholeApplicationTest {
    private final SpringApplicationBuilder application =
            new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE);

    @Test
    void oneAnnotationAndOneDependencyAreEnough() throws InterruptedException {
        try (ConfigurableApplicationContext context = application.run("--tenure.start=readiness")) {
            assertThat(context.getBean(Leadership.class).awaitLeadership(Settled.LONGEST))
                    .isPresent();
            assertThat(context.getBean(LeaderElector.class).role()).isEqualTo("billing");
        }
    }

    @Test
    void aRefusedStartIsExplainedWithoutAStackTrace(CapturedOutput output) {
        assertThatThrownBy(() -> application.run("--tenure.roles.billing.renew-interval=1h"))
                .isNotNull();
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "tenure.roles.billing.renew-interval must be at most");
    }

    @Test
    void toolsAreToldOfTheProperties() throws IOException {
        try (InputStream metadata =
                TenureAutoConfiguration.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            assertThat(new String(metadata.readAllBytes(), StandardCharsets.UTF_8))
                    .contains("\"tenure.store.url\"", "\"tenure.defaults.renew-interval\"", "\"tenure.roles\"")
                    .contains("How long a grant lasts without renewal");
        }
    }

    @Test
    void itIsProcessedAheadOfTime() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Application.class);
            InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
            DefaultGenerationContext generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get("dev.tenure.spring", "Application")), files);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            assertThat(files.getGeneratedFiles(GeneratedFiles.Kind.SOURCE).keySet())
                    .anyMatch(name -> name.contains("TenureElectors"));
            assertThat(generation.getRuntimeHints())
                    .matches(RuntimeHintsPredicates.reflection().onMethodInvocation(Job.class, "run"))
                    .matches(RuntimeHintsPredicates.reflection().onType(TenureProperties.class))
                    .matches(RuntimeHintsPredicates.reflection().onType(ElectionProperties.class));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = {DataSourceAutoConfiguration.class, DataRedisAutoConfiguration.class})
    static class Application {
        @Bean
        Job job() {
            return new Job();
        }
    }

    static class Job {
        @LeaderOnly("billing")
        void run() {
            CurrentLease.get().ensureHeld();
        }
    }
}
