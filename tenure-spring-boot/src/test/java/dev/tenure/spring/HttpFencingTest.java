package dev.tenure.spring;

import static dev.tenure.spring.TenureAutoConfigurationTest.analysis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.jdbc.JdbcFence;
import dev.tenure.test.FakeLeadership;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.sqlite.SQLiteDataSource;

/**
 * Tokens on their way over HTTP: sent by the leader's client, compared by the other side.
 */
class HttpFencingTest {
    private final ApplicationContextRunner server = new ApplicationContextRunner()
            .withInitializer(context -> context.getBeanFactory().registerScope("session", new SimpleThreadScope()))
            .withConfiguration(AutoConfigurations.of(TenureAutoConfiguration.class, TenureHttpAutoConfiguration.class))
            .withPropertyValues("tenure.store.url=memory:", "tenure.start=manual", "tenure.roles.billing.lease=15s");

    @TempDir
    Path folder;

    @Test
    void aLowerTokenIsRefusedWith412AndAProblem() throws Exception {
        FencingTokenFilter filter = new FencingTokenFilter(TokenFence.inMemory(), Set.of("billing"), false);
        assertThat(send(filter, "billing=7").getStatus()).isEqualTo(200);
        assertThat(send(filter, "billing=7").getStatus()).isEqualTo(200);
        MockHttpServletResponse refused = send(filter, "billing=6");
        assertThat(refused.getStatus()).isEqualTo(412);
        assertThat(refused.getContentType()).isEqualTo("application/problem+json");
        assertThat(refused.getContentAsString())
                .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Precondition Failed\",\"status\":412,"
                        + "\"detail\":\"a later term of this role was accepted\","
                        + "\"role\":\"billing\",\"token\":6,\"highest\":7}");
        assertThat(send(filter, "billing=8").getStatus()).isEqualTo(200);
    }

    @Test
    void whatIsNoTokenOfAGuardedRoleIsRefusedWith400() throws Exception {
        FencingTokenFilter filter = new FencingTokenFilter(TokenFence.inMemory(), Set.of("billing"), false);
        for (String header : new String[] {
            "",
            "7",
            "billing=",
            "billing=x",
            "billing=-1",
            "other=7",
            "%=7",
            "billing=9007199254740992",
            "billing=9223372036854775807"
        }) {
            assertThat(send(filter, header).getStatus()).as(header).isEqualTo(400);
        }
    }

    @Test
    void severalTokensAreRefusedWith400() throws Exception {
        FencingTokenFilter filter = new FencingTokenFilter(TokenFence.inMemory(), Set.of("billing"), false);
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/close");
        request.addHeader(FencingToken.HEADER, "billing=7");
        request.addHeader(FencingToken.HEADER, "billing=5");
        MockHttpServletResponse response = new MockHttpServletResponse();
        filter.doFilter(request, response, new MockFilterChain());
        assertThat(response.getStatus()).isEqualTo(400);
    }

    @Test
    void noTokenPassesUnlessOneIsRequired() throws Exception {
        assertThat(send(new FencingTokenFilter(TokenFence.inMemory(), Set.of("billing"), false), null)
                        .getStatus())
                .isEqualTo(200);
        assertThat(send(new FencingTokenFilter(TokenFence.inMemory(), Set.of("billing"), true), null)
                        .getStatus())
                .isEqualTo(428);
    }

    @Test
    void aFenceWithoutAnAnswerLetsNothingIn() throws Exception {
        TokenFence broken = token -> {
            throw new IllegalStateException("on purpose: " + token);
        };
        assertThat(send(new FencingTokenFilter(broken, Set.of("billing"), false), "billing=7")
                        .getStatus())
                .isEqualTo(503);
    }

    @Test
    void theFenceInTheDatabaseIsSharedAndOutlivesTheProcess() {
        DataSource dataSource = database();
        new DatabaseTokenFence(dataSource, JdbcFence.guardTable()).check(new FencingToken("billing", 7));
        TokenFence another = new DatabaseTokenFence(dataSource, JdbcFence.guardTable());
        assertThatExceptionOfType(FencedOutException.class)
                .isThrownBy(() -> another.check(new FencingToken("billing", 6)))
                .satisfies(stale -> assertThat(stale.highest()).isEqualTo(7));
        another.check(new FencingToken("billing", 7));
    }

    @Test
    void theFilterIsThereIfAFenceIsNamed() {
        server.run(context -> assertThat(context).doesNotHaveBean("tenureFencingFilter"));
        server.withPropertyValues("tenure.fencing.http.fence=memory", "tenure.fencing.http.paths[0]=/internal/*")
                .run(context -> {
                    FilterRegistrationBean<?> registered =
                            context.getBean("tenureFencingFilter", FilterRegistrationBean.class);
                    assertThat(registered.getUrlPatterns()).containsExactly("/internal/*");
                    FencingTokenFilter filter = (FencingTokenFilter) registered.getFilter();
                    assertThat(send(filter, "billing=7").getStatus()).isEqualTo(200);
                    assertThat(send(filter, "billing=6").getStatus()).isEqualTo(412);
                    assertThat(send(filter, "other=6").getStatus()).isEqualTo(400);
                });
        server.withPropertyValues("tenure.fencing.http.fence=jdbc")
                .withBean(DataSource.class, this::database)
                .run(context -> assertThat(context).hasSingleBean(DatabaseTokenFence.class));
        server.withPropertyValues("tenure.fencing.http.fence=jdbc")
                .run(context -> assertThat(analysis(context).getDescription()).contains("tenure.fencing.http.fence"));
    }

    @Test
    void theClientSendsTheTokenOfTheCurrentLease() throws IOException {
        FakeLeadership leadership = FakeLeadership.of("billing");
        Lease lease = leadership.elect();
        assertThat(sentBy(null)).isNull();
        assertThat(sentBy(lease)).isEqualTo(lease.fencingToken().toHeader());
    }

    @Test
    void onALostLeaseNothingIsSent() {
        FakeLeadership leadership = FakeLeadership.of("billing");
        Lease lease = leadership.elect();
        leadership.lose(dev.tenure.LossReason.TAKEN_OVER);
        assertThatExceptionOfType(LeadershipLostException.class).isThrownBy(() -> sentBy(lease));
    }

    private static @Nullable String sentBy(@Nullable Lease lease) throws IOException {
        AtomicReference<@Nullable String> sent = new AtomicReference<>();
        Lease before = lease == null ? null : CurrentLease.enter(lease);
        try {
            new FencingTokenInterceptor()
                    .intercept(
                            new MockClientHttpRequest(HttpMethod.POST, URI.create("http://localhost/")),
                            new byte[0],
                            (request, body) -> {
                                sent.set(request.getHeaders().getFirst(FencingToken.HEADER));
                                return new MockClientHttpResponse(new byte[0], HttpStatus.OK);
                            })
                    .close();
        } finally {
            CurrentLease.restore(before);
        }
        return sent.get();
    }

    private static MockHttpServletResponse send(FencingTokenFilter filter, @Nullable String header) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/internal/close");
        if (header != null) {
            request.addHeader(FencingToken.HEADER, header);
        }
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();
        filter.doFilter(request, response, chain);
        assertThat(chain.getRequest() != null).isEqualTo(response.getStatus() == 200);
        return response;
    }

    private DataSource database() {
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl("jdbc:sqlite:" + folder.resolve("fence.db"));
        return dataSource;
    }
}
