package dev.tenure.verification.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.Leader;
import dev.tenure.LeaderWatch;
import dev.tenure.Lease;
import dev.tenure.NoLeaderException;
import dev.tenure.Registration;
import dev.tenure.Tenure;
import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.spi.LeaseStore;
import dev.tenure.verification.documents.AnnouncingExamples.Caller;
import dev.tenure.verification.documents.AnnouncingExamples.Instance;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The guide to announcing the leader, run over HTTP.
 */
class AnnouncingTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * A lease that no pause of a busy machine outlasts.
     */
    private static Instance instance(LeaseStore store) throws IOException {
        return new Instance(Tenure.builder(store).defaults(options -> options.lease(Duration.ofMinutes(10))));
    }

    private final HttpClient http = HttpClient.newHttpClient();

    private static Leader awaitLeader(LeaderWatch watch, URI at) throws Exception {
        CompletableFuture<Leader> found = new CompletableFuture<>();
        Registration registration = watch.onChange(now -> now.filter(
                        leader -> leader.metadata("url").equals(java.util.Optional.of(at.toString())))
                .ifPresent(found::complete));
        try {
            return found.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } finally {
            registration.remove();
        }
    }

    private HttpResponse<String> post(URI instance, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder call = HttpRequest.newBuilder(instance.resolve("/invoices"))
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.noBody());
        for (String value : headers) {
            call.header(Leader.HEADER, value);
        }
        return http.send(call.build(), BodyHandlers.ofString());
    }

    @Test
    void callsFindTheLeaderAndFollowItOverAHandOver() throws Exception {
        MemoryLeaseStore store = new MemoryLeaseStore();
        try (Instance first = instance(store.another());
                Tenure elsewhere = Tenure.on(store)) {
            Lease old = first.billing().awaitLeadership(PATIENCE).orElseThrow();
            try (LeaderWatch watch = elsewhere.watch("billing");
                    Instance second = instance(store.another())) {
                Leader announced = awaitLeader(watch, first.url());
                assertThat(announced.fencingToken()).contains(old.fencingToken());
                assertThat(announced.metadata("version")).contains("7");
                Caller caller = new Caller(watch);
                assertThat(caller.post("/invoices").body()).isEqualTo("billed with " + old.fencingToken());

                first.resign();
                Lease next = second.billing().awaitLeadership(PATIENCE).orElseThrow();
                String meantForTheOld = old.fencingToken().toHeader();
                assertThat(post(first.url(), meantForTheOld).statusCode()).isEqualTo(421);
                assertThat(post(second.url(), meantForTheOld).statusCode()).isEqualTo(421);
                assertThat(awaitLeader(watch, second.url()).fencingToken()).contains(next.fencingToken());
                assertThat(caller.post("/invoices").body()).isEqualTo("billed with " + next.fencingToken());
            }
        }
    }

    @Test
    void onlyACallForThisVeryTermIsServed() throws Exception {
        try (Instance only = instance(new MemoryLeaseStore())) {
            Lease lease = only.billing().awaitLeadership(PATIENCE).orElseThrow();
            String header = lease.fencingToken().toHeader();
            assertThat(post(only.url(), header).statusCode()).isEqualTo(200);
            assertThat(post(only.url()).statusCode()).isEqualTo(421);
            for (String odd : List.of(
                    "",
                    "%",
                    "billing",
                    header + "0",
                    "other=" + lease.fencingToken().value())) {
                assertThat(post(only.url(), odd).statusCode()).as(odd).isEqualTo(421);
            }
        }
    }

    @Test
    void aCallerGivesUpAfterSomeAttempts() throws Exception {
        try (Tenure elsewhere = Tenure.on(new MemoryLeaseStore());
                LeaderWatch watch = elsewhere.watch("billing")) {
            assertThatThrownBy(() -> new Caller(watch).post("/invoices"))
                    .isInstanceOf(NoLeaderException.class)
                    .hasMessage("nobody is known to lead billing");
            assertThatThrownBy(() -> AnnouncingExamples.whoLeads(elsewhere)).isInstanceOf(NoLeaderException.class);
        }
    }
}
