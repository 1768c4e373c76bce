package dev.tenure.consul;

import static dev.tenure.consul.AclAgent.SESSIONS;
import static dev.tenure.consul.AclAgent.least;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectorHealth;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Tenure;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What electors say of missing rights, and that they get over it.
 */
class AclHealthTest {
    private static AclAgent acl;

    private final String role = "role-" + UUID.randomUUID();
    private final String key = "service/" + role + "/leader";

    @BeforeAll
    static void startAgent() {
        acl = new AclAgent();
    }

    @AfterAll
    static void stopAgent() {
        acl.close();
    }

    private static Tenure tenure(String url, AclAgent.Token token) {
        return Tenure.builder(ConsulLeaseStore.builder(url).token(token.secret).build())
                .defaults(options -> options.lease(Duration.ofSeconds(20)).renewInterval(Duration.ofSeconds(2)))
                .build();
    }

    private static void misconfigured(LeaderElector elector, String detail) {
        Eventually.becomes("health that says: " + detail, () -> {
            ElectorHealth health = elector.health();
            return health.status() == Status.MISCONFIGURED
                    && health.detail().contains(detail)
                    && !health.isHealthy()
                    && health.lastError().isPresent();
        });
    }

    private static void leads(LeaderElector elector) {
        Eventually.becomes("leading", () -> elector.health().status() == Status.LEADING);
    }

    @Test
    void K121_aMissingRuleIsShownAtOnceTriedAgainEverMoreSlowlyAndPickedUp() {
        AclAgent.Token token = acl.token(""); // it may not watch either, so that nothing wakes it early
        try (Recorder front = new Recorder(acl.agent);
                Tenure tenure = tenure(front.url(), token)) {
            LeaderElector elector = tenure.elector(role).start();
            misconfigured(elector, "needs session_prefix \"\" { policy = \"write\" }");
            Eventually.becomes("three tries", () -> created(front).size() >= 3);
            List<Recorder.Request> tries = created(front);
            Duration retry = elector.describe().options().retryInterval();
            assertThat(after(tries, 0)).isGreaterThanOrEqualTo(retry);
            assertThat(after(tries, 1)).isGreaterThanOrEqualTo(retry.multipliedBy(2));
            token.rules(SESSIONS);
            misconfigured(elector, "needs key \"" + key + "\" { policy = \"write\" }");
            token.rules(least(key));
            leads(elector);
        }
    }

    private static List<Recorder.Request> created(Recorder front) {
        return front.of("PUT /v1/session/create");
    }

    private static Duration after(List<Recorder.Request> tries, int number) {
        return Duration.ofNanos(tries.get(number + 1).at() - tries.get(number).at());
    }

    @Test
    void aTokenThatIsDeletedWhileItsUserLeadsEndsTheTermAtItsDeadline() throws Exception {
        AclAgent.Token token = acl.token(least(key));
        CompletableFuture<Lease> led = new CompletableFuture<>();
        try (Tenure tenure = tenure(acl.agent.url(), token)) {
            LeaderElector elector = tenure.elector(role);
            elector.onChange(led::complete, (lease, reason) -> {});
            elector.start();
            Lease lease = led.get(120, TimeUnit.SECONDS);
            token.delete();
            misconfigured(elector, "is unknown, deleted or expired");
            assertThat(lease.isHeld()).as("told before the end").isTrue();
            assertThat(lease.lost().toCompletableFuture().get(120, TimeUnit.SECONDS))
                    .isEqualTo(LossReason.DEADLINE_EXCEEDED);
            misconfigured(elector, "is unknown, deleted or expired");
        }
    }
}
