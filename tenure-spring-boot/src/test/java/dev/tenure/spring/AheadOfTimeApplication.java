package dev.tenure.spring;

import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.Leadership;
import dev.tenure.Lease;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Uses what generated code has to get right, and prints what it sees.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    TenureAutoConfiguration.class,
    TenureActuatorAutoConfiguration.class,
    TenureMetricsAutoConfiguration.class,
    EndpointAutoConfiguration.class,
    MetricsAutoConfiguration.class,
    SimpleMetricsExportAutoConfiguration.class,
    ConfigurationPropertiesAutoConfiguration.class
})
class AheadOfTimeApplication {

    public static void main(String... args) throws InterruptedException {
        SpringApplication application = new SpringApplication(AheadOfTimeApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = application.run(args)) {
            LeaderElector billing = context.getBean("billing", LeaderElector.class);
            say("led", billing.awaitLeadership(Settled.LONGEST).isPresent());
            say("lease", billing.describe().options().lease());
            context.getBean(Job.class).run();
            say("elsewhere", CurrentLease.find().isPresent());
            say("injected", context.getBean(Holder.class).leadership().role());
            say("served", context.getBean(Service.class).served.await(2, TimeUnit.MINUTES));
            say(
                    "endpoint",
                    context.getBean(LeadershipEndpoint.class).ofRole("billing").get("leading"));
            say("meters", context.containsBean("tenureMeters"));
        }
        say("closed", true);
    }

    private static void say(String what, Object value) {
        System.out.println(what + "=" + value);
    }

    @Bean
    Job job() {
        return new Job();
    }

    @Bean
    Service service() {
        return new Service();
    }

    @Bean
    Holder holder(@Qualifier("billing") Leadership leadership) {
        return new Holder(leadership);
    }

    record Holder(Leadership leadership) {}

    static class Job {
        @LeaderOnly("billing")
        void run() {
            say("run", CurrentLease.get().isHeld());
        }
    }

    @LeaderService("reports")
    static class Service implements LeaderWork {
        final CountDownLatch served = new CountDownLatch(1);

        @Override
        public void lead(Lease lease) throws InterruptedException {
            served.countDown();
            while (!lease.awaitLost(Duration.ofMinutes(1))) {
                lease.ensureHeld();
            }
        }
    }
}
