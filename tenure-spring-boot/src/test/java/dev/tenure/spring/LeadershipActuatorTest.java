package dev.tenure.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import dev.tenure.ElectorHealth;
import dev.tenure.LeaderElector;
import dev.tenure.LeaseStores;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.LeaseStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.OperationFilter;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.convert.ConversionServiceParameterValueMapper;
import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpointDiscoverer;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/**
 * What an operator sees and may do.
 */
class LeadershipActuatorTest {
    private final ApplicationContextRunner billing = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    EndpointAutoConfiguration.class,
                    TenureAutoConfiguration.class,
                    TenureActuatorAutoConfiguration.class,
                    TenureHealthAutoConfiguration.class))
            .withPropertyValues(
                    "tenure.roles.billing.lease=30s",
                    "tenure.store.url=memory:",
                    "tenure.metadata.url=http://node-a",
                    "management.endpoints.web.exposure.include=leadership");

    @Test
    void theEndpointShowsEveryRole() {
        billing.run(context -> {
            LeaderElector elector = context.getBean(LeaderElector.class);
            elector.awaitLeadership(Settled.LONGEST);
            LeadershipEndpoint endpoint = context.getBean(LeadershipEndpoint.class);
            Map<String, Object> role = endpoint.ofRole("billing");
            assertThat(role)
                    .containsEntry("leading", true)
                    .containsEntry("status", "LEADING")
                    .containsEntry("term", 1L)
                    .containsEntry(
                            "token",
                            elector.lease().orElseThrow().fencingToken().value())
                    .containsKeys("key", "remaining", "worstCaseTakeover", "explained");
            assertThat(role).extractingByKey("options", MAP).containsEntry("lease", "PT30S");
            assertThat(role).extractingByKey("leader", MAP).containsEntry("metadata", Map.of("url", "http://node-a"));
            Settled.until(
                    "the answer is noted",
                    () -> context.getBean(ElectionNotes.class)
                            .lastAnswer("billing")
                            .isPresent());
            assertThat(endpoint.leadership(null)).extractingByKey("roles", MAP).containsOnlyKeys("billing");
            assertThat(endpoint.ofRole("other")).isNull();
        });
    }

    @Test
    void steppingDownReleasesAndShowsWhy() {
        billing.run(context -> {
            LeaderElector elector = context.getBean(LeaderElector.class);
            elector.awaitLeadership(Settled.LONGEST);
            LeadershipEndpoint endpoint = context.getBean(LeadershipEndpoint.class);
            assertThat(endpoint.stepDown("billing").getBody()).containsEntry("outcome", "RELEASED");
            assertThat(endpoint.stepDown("other").getStatus()).isEqualTo(404);
            Settled.until("noted", () -> endpoint.ofRole("billing").containsKey("lastLoss"));
            assertThat(endpoint.ofRole("billing"))
                    .extractingByKey("lastLoss", MAP)
                    .containsEntry("reason", "RESIGNED")
                    .containsEntry("term", 1L);
        });
    }

    @Test
    void aLeaderThatCannotRenewLeadsOnAndIsShownAsLeading() {
        AtomicBoolean gone = new AtomicBoolean();
        billing.withPropertyValues("tenure.roles.billing.lease=10m", "tenure.roles.billing.renew-interval=50ms")
                .withBean(LeaseStore.class, () -> unreachableWhen(gone, LeaseStores.inMemory()))
                .run(context -> {
                    LeaderElector elector = context.getBean(LeaderElector.class);
                    elector.awaitLeadership(Settled.LONGEST);
                    gone.set(true);
                    LeadershipEndpoint endpoint = context.getBean(LeadershipEndpoint.class);
                    Settled.until("unreachable", () -> elector.health().status() == ElectorHealth.Status.UNREACHABLE);
                    assertThat(endpoint.ofRole("billing"))
                            .containsEntry("leading", true)
                            .containsEntry("status", "UNREACHABLE")
                            .containsKeys("token", "deadline");
                    gone.set(false);
                });
    }

    private static LeaseStore unreachableWhen(AtomicBoolean gone, LeaseStore store) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (gone.get() && method.getName().startsWith("renew")) {
                throw new StoreUnavailableException("gone on purpose", null);
            }
            try {
                return method.invoke(store, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        };
        return (LeaseStore)
                Proxy.newProxyInstance(LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, handler);
    }

    @Test
    void steppingDownIsOffUnlessAccessIsGranted() {
        billing.run(context -> assertThat(writes(context)).isZero());
        billing.withPropertyValues("management.endpoint.leadership.access=UNRESTRICTED")
                .run(context -> assertThat(writes(context)).isEqualTo(2));
    }

    @Test
    void withoutExposureThereIsNoEndpoint() {
        billing.withPropertyValues("management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context).doesNotHaveBean(LeadershipEndpoint.class));
    }

    @Test
    void aLeaderAndAFollowerAreUp() {
        billing.withPropertyValues("tenure.roles.idle.start=manual").run(context -> {
            context.getBean("billing", LeaderElector.class).awaitLeadership(Settled.LONGEST);
            var health = context.getBean(LeadershipHealthIndicator.class).health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsOnlyKeys("billing", "idle");
        });
    }

    @Test
    void anUnreachableStoreIsWhatIsConfigured() {
        ApplicationContextRunner silent = billing.withPropertyValues(
                "tenure.store.url=redis://127.0.0.1:1", "tenure.publish-leader-changes=false");
        silent.run(context -> Settled.until("down", () -> status(context).equals(Status.DOWN)));
        silent.withPropertyValues("tenure.health.unreachable=OUT_OF_SERVICE")
                .run(context -> Settled.until("out", () -> status(context).equals(Status.OUT_OF_SERVICE)));
    }

    @Test
    void infoTellsWhoLeads() {
        billing.withPropertyValues("tenure.instance=node-a").run(context -> {
            context.getBean(LeaderElector.class).awaitLeadership(Settled.LONGEST);
            Info.Builder info = new Info.Builder();
            context.getBean(LeadershipInfoContributor.class).contribute(info);
            assertThat(info.build().get("leadership"))
                    .isEqualTo(Map.of("billing", Map.of("leading", true, "leader", "node-a")));
        });
    }

    private static Status status(ApplicationContext context) {
        return context.getBean(LeadershipHealthIndicator.class).health().getStatus();
    }

    /**
     * How many writing operations the endpoint offers over HTTP.
     */
    private static long writes(ApplicationContext context) {
        var found = new WebEndpointDiscoverer(
                        context,
                        new ConversionServiceParameterValueMapper(),
                        EndpointMediaTypes.DEFAULT,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(OperationFilter.byAccess(context.getBean(EndpointAccessResolver.class))))
                .getEndpoints();
        assertThat(found).hasSize(1);
        var operations = found.iterator().next().getOperations();
        assertThat(operations).anyMatch(operation -> operation.getType() == OperationType.READ);
        return operations.stream()
                .filter(operation -> operation.getType() == OperationType.WRITE)
                .count();
    }
}
