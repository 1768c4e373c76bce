package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.Registration;
import dev.tenure.StoreRejectedException;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseStore;
import dev.tenure.test.Answers;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Data center, namespace and admin partition.
 */
class PlaceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ConsulAgent agent = ConsulAgent.shared();
    private final String key = "service/" + UUID.randomUUID() + "/leader";

    private LeaseStore store(String url) {
        return ConsulLeaseStore.builder(url)
                .token("t0ken")
                .datacenter("dc1")
                .consulNamespace("team-a")
                .partition("west")
                .build();
    }

    private void everyOperation(Asker asker) {
        Registration watch = asker.store().watch(key, () -> {});
        Claim claim = asker.grant(key);
        asker.renew(claim);
        asker.denied(key);
        assertThat(asker.list()).isNotEmpty();
        assertThat(asker.read(key)).isPresent();
        assertThat(asker.release(claim)).isTrue();
        asker.grant(key);
        assertThat(Answers.within(PATIENCE, asker.store().revoke(key))).isTrue();
        assertThat(asker.forceRelease(key)).isTrue();
        asker.acceptToken(key, claim.token());
        watch.remove();
    }

    /**
     * Whether Consul knows such places: asked by a session that nobody has.
     */
    private static long questions(Recorder front) {
        return front.requests().stream()
                .filter(request -> request.path().endsWith("-000000000000"))
                .count();
    }

    @Test
    void everyKindOfRequestSaysWhoAndWhere() {
        try (Recorder front = new Recorder(agent);
                Asker asker = Asker.of(store(front.url()))) {
            everyOperation(asker);
            Eventually.becomes("a held query", () -> front.of("GET /v1/kv").size() >= 1);
            assertThat(front.requests()).allSatisfy(request -> {
                assertThat(request.token()).contains("t0ken");
                assertThat(request.query().split("&"))
                        .as(request.toString())
                        .contains("dc=dc1", "ns=team-a", "partition=west");
            });
            assertThat(front.requests().stream().map(Recorder.Request::kind).collect(Collectors.toSet()))
                    .containsExactlyInAnyOrder(
                            "PUT /v1/session/create",
                            "PUT /v1/session/renew",
                            "PUT /v1/session/destroy",
                            "GET /v1/session/list",
                            "GET /v1/session/info",
                            "GET /v1/kv",
                            "PUT /v1/txn");
            assertThat(front.of("PUT /v1/txn"))
                    .allSatisfy(request -> assertThat(Json.list(request.body().orElseThrow()))
                            .isNotEmpty()
                            .allSatisfy(operation -> {
                                Object fields = Json.field(operation, "KV");
                                assertThat(Json.text(fields, "Namespace")).isEqualTo("team-a");
                                assertThat(Json.text(fields, "Partition")).isEqualTo("west");
                            }));
            assertThat(questions(front)).isEqualTo(1);
        }
    }

    @Test
    void withoutOptionsNothingOfThemIsSent() {
        try (Recorder front = new Recorder(agent);
                Asker asker = Asker.at(front.url())) {
            everyOperation(asker);
            assertThat(questions(front)).isZero();
            assertThat(front.requests()).allSatisfy(request -> {
                assertThat(request.token()).isEmpty();
                assertThat(request.query()).doesNotContain("dc=", "ns=", "partition=");
                assertThat(String.valueOf(request.body())).doesNotContain("Namespace", "Partition");
            });
        }
    }

    /**
     * Its transactions would not mind, and free the key of another.
     */
    @Test
    void aConsulWithoutNamespacesRefusesThemInEveryOperation() {
        try (Asker plain = Asker.at(agent.url());
                Asker asker = Asker.at(agent.url(), "ns", "team")) {
            plain.grant(key);
            for (Throwable failure : new Throwable[] {
                asker.failureOfAsking(key),
                asker.failure(store -> store.read(key)),
                asker.failure(store -> store.revoke(key)),
                asker.failure(store -> store.forceRelease(key)),
                asker.failure(store -> store.acceptToken(key, 1)),
                asker.failure(LeaseStore::list)
            }) {
                assertThat(failure)
                        .isInstanceOf(StoreRejectedException.class)
                        .hasMessageContaining("ns must not be given")
                        .hasMessageContaining("the option namespace begins keys")
                        .hasMessageContaining("Enterprise");
            }
            assertThat(plain.read(key)).isPresent();
        }
    }

    @Test
    void aConsulWithoutPartitionsRefusesThem() {
        try (Asker plain = Asker.at(agent.url());
                Asker asker = Asker.at(agent.url(), "partition", "west")) {
            plain.grant(key);
            for (Throwable failure : new Throwable[] {
                asker.failureOfAsking(key),
                asker.failure(store -> store.read(key)),
                asker.failure(store -> store.forceRelease(key)),
                asker.failure(store -> store.acceptToken(key, 1))
            }) {
                assertThat(failure)
                        .isInstanceOf(StoreRejectedException.class)
                        .hasMessageContaining("partition must not be given");
            }
            assertThat(plain.read(key)).isPresent();
        }
    }

    @Test
    void anUnknownDatacenterNamesItsOption() {
        try (Asker asker = Asker.at(agent.url(), "datacenter", "nowhere")) {
            assertThat(asker.failureOfAsking(key))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining("the datacenter is unknown (option datacenter)");
        }
    }
}
