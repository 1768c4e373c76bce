package dev.tenure.verification.documents;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tenure.FencingToken;
import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWatch;
import dev.tenure.Leadership;
import dev.tenure.Lease;
import dev.tenure.NoLeaderException;
import dev.tenure.Registration;
import dev.tenure.Tenure;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The Java of the guide to announcing the leader; {@link AnnouncingTest} runs it.
 */
final class AnnouncingExamples {
    private AnnouncingExamples() {}

    static URI whoLeads(Tenure tenure) {
        URI leader = tenure.watch("billing")
                .requireLeader()
                .metadata("url")
                .map(URI::create)
                .orElseThrow();
        return leader;
    }

    /**
     * One of several; takes calls that are meant for it as the leader.
     */
    static final class Instance implements AutoCloseable {
        private final HttpServer server;
        private final Tenure tenure;
        private final LeaderElector billing;

        Instance(Tenure.Builder settings) throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            tenure = settings.metadata("version", "7")
                    .metadata(() -> Map.of("url", url().toString())) // asked at each acquisition
                    .build();
            billing = tenure.elector("billing");
            server.createContext("/invoices", this::serve);
            server.start();
            billing.start();
        }

        private void serve(HttpExchange call) throws IOException {
            Optional<Lease> lease = billing.leaseFor(call.getRequestHeaders().getFirst(Leader.HEADER));
            if (lease.isPresent()) {
                answer(call, 200, bill(lease.get().fencingToken()));
            } else {
                answer(call, 421, "not the leader that this call is meant for"); // Misdirected Request
            }
        }

        URI url() {
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        }

        Leadership billing() {
            return billing;
        }

        void resign() {
            billing.resign();
        }

        private static String bill(FencingToken token) {
            return "billed with " + token;
        }

        private static void answer(HttpExchange call, int status, String text) throws IOException {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(status, body.length);
            try (OutputStream out = call.getResponseBody()) {
                out.write(body);
            }
        }

        @Override
        public void close() {
            tenure.close();
            server.stop(0);
        }
    }

    /**
     * Takes calls to whoever leads.
     */
    static final class Caller {
        private static final int MOST_ATTEMPTS = 5;
        private static final int MISDIRECTED = 421;

        private final HttpClient http = HttpClient.newHttpClient();
        private final LeaderWatch billing;

        Caller(LeaderWatch billing) {
            this.billing = billing;
        }

        HttpResponse<String> post(String path) throws IOException, InterruptedException {
            for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
                Optional<Leader> leader = billing.leader();
                if (leader.isPresent()) {
                    HttpResponse<String> answer = http.send(callOf(leader.get(), path), BodyHandlers.ofString());
                    if (answer.statusCode() != MISDIRECTED) {
                        return answer;
                    }
                }
                awaitAnother(leader); // nothing was done: look again
            }
            throw new NoLeaderException(billing.role());
        }

        private static HttpRequest callOf(Leader leader, String path) {
            URI url = leader.metadata("url").map(URI::create).orElseThrow();
            String thisTerm = leader.fencingToken().orElseThrow().toHeader();
            return HttpRequest.newBuilder(url.resolve(path))
                    .header(Leader.HEADER, thisTerm)
                    .timeout(Duration.ofSeconds(30))
                    .POST(BodyPublishers.noBody())
                    .build();
        }

        /**
         * A second at most: the same leader may be right as well, if it was asked just before it knew.
         */
        private void awaitAnother(Optional<Leader> than) throws InterruptedException {
            CompletableFuture<@Nullable Void> another = new CompletableFuture<>();
            Registration registration = billing.onChange(now -> {
                if (now.isPresent() && !now.equals(than)) {
                    another.complete(null);
                }
            });
            try {
                another.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException same) {
                return; // look again all the same
            } finally {
                registration.remove();
            }
        }
    }
}
