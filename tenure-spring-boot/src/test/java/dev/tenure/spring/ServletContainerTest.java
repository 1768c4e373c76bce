package dev.tenure.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

/**
 * Over HTTP, in Tomcat: the filter, the client's interceptor and the endpoint.
 */
class ServletContainerTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() throws InterruptedException {
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .run(
                        "--server.port=0",
                        "--tenure.store.url=memory:",
                        "--tenure.roles[billing/close].lease=15s",
                        "--tenure.roles[v1.2-ü+a%;b].lease=15s",
                        "--tenure.roles[a//b].lease=15s",
                        "--tenure.fencing.http.fence=memory",
                        "--tenure.fencing.http.required=true",
                        "--tenure.fencing.http.paths[0]=/internal/*",
                        "--management.endpoints.web.exposure.include=leadership",
                        "--management.endpoint.leadership.access=unrestricted");
        for (LeaderElector elector : context.getBeansOfType(LeaderElector.class).values()) {
            assertThat(elector.awaitLeadership(Settled.LONGEST)).isPresent();
        }
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @BeforeEach
    void forget() {
        context.getBean(CountingFence.class).forget();
    }

    @Test
    void aLowerTokenIsRefusedWith412AndAProblem() throws Exception {
        assertThat(post("/internal/close", token(1007)).statusCode()).isEqualTo(200);
        assertThat(post("/internal/close", token(1007)).body()).isEqualTo("closed");
        HttpResponse<String> refused = post("/internal/close", token(1006));
        assertThat(refused.statusCode()).isEqualTo(412);
        assertThat(refused.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(refused.body()).contains("\"role\":\"billing/close\"", "\"token\":1006", "\"highest\":1007");
    }

    @Test
    void aMissingTokenIs428AndAMalformedOne400() throws Exception {
        HttpResponse<String> missing = post("/internal/close", null);
        assertThat(missing.statusCode()).isEqualTo(428);
        assertThat(missing.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(post("/internal/close", "seven").statusCode()).isEqualTo(400);
        assertThat(post("/open", null).statusCode()).isEqualTo(200);
    }

    @Test
    void anAsyncRequestIsComparedOnce() throws Exception {
        HttpResponse<String> answer = post("/internal/async", token(2001));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("later");
        assertThat(context.getBean(CountingFence.class).checks).hasValue(1);
    }

    @Test
    void aRequestThatFailsIsComparedOnceAndItsErrorIsShown() throws Exception {
        HttpResponse<String> answer = post("/internal/fail", token(2002));
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("Internal Server Error");
        assertThat(post("/internal/none", token(2003)).statusCode()).isEqualTo(404);
        assertThat(context.getBean(CountingFence.class).checks).hasValue(2);
    }

    @Test
    void theLeadersClientIsLetInUntilALaterTermWas() {
        RestClient client = RestClient.builder()
                .baseUrl("http://127.0.0.1:" + port())
                .requestInterceptor(context.getBean(FencingTokenInterceptor.class))
                .build();
        Calls calls = context.getBean(Calls.class);
        assertThat(calls.asLeader(() -> close(client))).isEqualTo("closed");
        LeaderElector elector = context.getBean("a//b", LeaderElector.class);
        long own = elector.lease().orElseThrow().fencingToken().value();
        context.getBean(CountingFence.class).check(new FencingToken("a//b", own + 1));
        assertThat(calls.asLeader(() -> close(client))).isEqualTo("412 PRECONDITION_FAILED");
    }

    @Test
    void theEndpointKnowsRolesWithSlashesDotsAndOtherCharacters() throws Exception {
        assertThat(get("").body()).contains("\"billing/close\":{", "\"v1.2-ü+a%;b\":{", "\"a//b\":{");
        assertThat(get("/billing/close").body()).contains("\"leading\":true", "billing/close");
        assertThat(get("/v1.2-%C3%BC+a").statusCode()).isEqualTo(404);
        assertThat(get("?role=v1.2-%C3%BC%2Ba%25%3Bb").body()).contains("\"leading\":true", "v1.2-ü+a%;b");
        assertThat(get("?role=a//b").body()).contains("\"leading\":true", "a//b");
        assertThat(get("/billing").statusCode()).isEqualTo(404);
        assertThat(get("?role=none").statusCode()).isEqualTo(404);
    }

    @Test
    void steppingDownWorksByPathAndByName() throws Exception {
        HttpResponse<String> byPath = write("/billing/close", "{}");
        assertThat(byPath.statusCode()).as(byPath.body()).isEqualTo(200);
        assertThat(byPath.body()).contains("\"outcome\":");
        HttpResponse<String> byName = write("", "{\"role\":\"v1.2-ü+a%;b\"}");
        assertThat(byName.statusCode()).as(byName.body()).isEqualTo(200);
        assertThat(byName.body()).contains("RELEASED");
        assertThat(write("", "{\"role\":\"none\"}").statusCode()).isEqualTo(404);
        assertThat(write("/none", "{}").statusCode()).isEqualTo(404);
        assertThat(write("/none", "{}").body()).contains("no role of this instance");
        assertThat(write("", "{}").statusCode()).isEqualTo(400);
    }

    private static String close(RestClient client) {
        try {
            return Optional.ofNullable(
                            client.post().uri("/internal/close").retrieve().body(String.class))
                    .orElse("");
        } catch (HttpClientErrorException refused) {
            return refused.getStatusCode().toString();
        }
    }

    private static String token(long value) {
        return new FencingToken("billing/close", value).toHeader();
    }

    private static HttpResponse<String> post(String path, String token) throws IOException, InterruptedException {
        HttpRequest.Builder request = to(path).POST(BodyPublishers.noBody());
        if (token != null) {
            request.header(FencingToken.HEADER, token);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return HTTP.send(to("/actuator/leadership" + path).GET().build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> write(String path, String body) throws IOException, InterruptedException {
        return HTTP.send(
                to("/actuator/leadership" + path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofMinutes(2));
    }

    private static String port() {
        return context.getEnvironment().getRequiredProperty("local.server.port");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = {DataSourceAutoConfiguration.class, DataRedisAutoConfiguration.class})
    static class Application {
        @Bean
        Pages pages() {
            return new Pages();
        }

        @Bean
        CountingFence fence() {
            return new CountingFence();
        }

        @Bean
        Calls calls() {
            return new Calls();
        }
    }

    static class Calls {
        @LeaderOnly(value = "a//b", whenNotLeader = LeaderOnly.WhenNotLeader.THROW)
        String asLeader(Callable<String> call) {
            try {
                return call.call();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    static class CountingFence implements TokenFence {
        final AtomicInteger checks = new AtomicInteger();
        private volatile TokenFence fence = TokenFence.inMemory();

        void forget() {
            checks.set(0);
            fence = TokenFence.inMemory();
        }

        @Override
        public void check(FencingToken token) {
            checks.incrementAndGet();
            fence.check(token);
        }
    }

    @RestController
    static class Pages {
        @PostMapping({"/internal/close", "/open"})
        String close() {
            return "closed";
        }

        @PostMapping("/internal/async")
        Callable<String> async() {
            return () -> "later";
        }

        @PostMapping("/internal/fail")
        String fail() {
            throw new IllegalStateException("on purpose");
        }
    }
}
