package dev.tenure.spring;

import static dev.tenure.spring.TenureAutoConfigurationTest.analysis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import dev.tenure.Tenure;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Applications that would not do what they look like, and one that has no election at all.
 */
@ExtendWith(OutputCaptureExtension.class)
class RefusedApplicationsTest {
    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(TenureAutoConfiguration.class, TenureHealthAutoConfiguration.class));
    private final ApplicationContextRunner manual =
            bare.withPropertyValues("tenure.start=manual", "tenure.store.url=memory:");
    private final WebApplicationContextRunner receiver = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(TenureAutoConfiguration.class, TenureHttpAutoConfiguration.class))
            .withPropertyValues("tenure.fencing.http.fence=memory", "spring.profiles.active=prod");

    @Test
    void aServiceBehindAnotherTypeIsRefused() {
        manual.withUserConfiguration(HiddenService.class)
                .run(context -> assertThat(analysis(context).getAction()).contains("the return type Feed"));
        manual.withUserConfiguration(HiddenService.class)
                .withPropertyValues("tenure.roles.feed.lease=15s")
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("@LeaderService on Feed is not seen"));
    }

    @Test
    void K157_aHealthCheckThatIsNoBeanIsRefused() {
        manual.withPropertyValues("tenure.roles.r.health-check=nobean", "tenure.roles.r.health-grace=1s")
                .run(context -> assertThat(analysis(context).getDescription())
                        .isEqualTo("tenure.roles.r.health-check must be the name of a BooleanSupplier bean: nobean"));
        manual.withPropertyValues("tenure.defaults.health-check=text", "tenure.defaults.health-grace=1s")
                .withPropertyValues("tenure.roles.r.lease=15s")
                .withBean("text", String.class, () -> "no check")
                .run(context ->
                        assertThat(analysis(context).getDescription()).startsWith("tenure.defaults.health-check must"));
        manual.withPropertyValues("tenure.roles.r.health-grace=1s")
                .run(context -> assertThat(analysis(context).getDescription())
                        .startsWith("tenure.roles.r.health-grace has no effect"));
        manual.withPropertyValues("tenure.roles.r.health-check=works", "tenure.roles.r.health-grace=1s")
                .withBean("works", BooleanSupplier.class, () -> () -> true)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void K157_aStatusThatHealthDoesNotKnowIsRefused() {
        manual.withPropertyValues("tenure.health.unreachable=DOWNN")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("tenure.health.unreachable"));
    }

    @Test
    void K157_theNamespaceAndOptionsAreBlamedForWhatIsWrongWithThem() {
        bare.withPropertyValues("tenure.store.url=redis://localhost:1", "tenure.namespace=", "tenure.roles.r.lease=15s")
                .run(context -> assertThat(analysis(context).getDescription())
                        .startsWith("tenure.namespace cannot be used: namespace must"));
        bare.withPropertyValues(
                        "tenure.store.url=redis://localhost:1",
                        "tenure.store.options.tokenz=counter",
                        "tenure.roles.r.lease=15s")
                .run(context -> assertThat(analysis(context).getDescription())
                        .startsWith("tenure.store.options.tokenz cannot be used: "));
    }

    @Test
    void whoHasNoElectionNeedsNoStore(CapturedOutput output) {
        receiver.withPropertyValues("tenure.fencing.http.roles=ledger")
                .run(context -> assertThat(context).hasNotFailed());
        bare.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBeanFactory().containsSingleton("tenure")).isFalse();
        });
        assertThat(output.getAll()).doesNotContain("ELECTIONS ARE HELD");
        bare.run(context -> assertThat(context.getBean(Tenure.class).electors()).isEmpty());
        assertThat(output.getAll()).containsOnlyOnce("ELECTIONS ARE HELD");
    }

    @Test
    void aFilterThatWouldRefuseEverythingIsRefused() {
        receiver.run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining("there is no role whose tokens it could accept"));
        WebApplicationContextRunner required =
                receiver.withPropertyValues("tenure.fencing.http.roles=ledger", "tenure.fencing.http.required=true");
        required.run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining("tenure.fencing.http.paths does not say for what"));
        required.withPropertyValues("tenure.fencing.http.paths=/internal/*")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @LeaderService("feed")
    static class Feed implements LeaderWork {
        @Override
        public void lead(Lease lease) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class HiddenService {
        @Bean
        LeaderWork feed() {
            return new Feed();
        }
    }
}
