package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Requests of an earlier term that arrive when its sender has given up and a later term has begun, of the same process.
 */
@Execution(ExecutionMode.CONCURRENT)
class LateRequestsTest {
    /** Of what is held; no other call is to be cut short. */
    private static final Duration LIMIT = Duration.ofSeconds(8);

    private final ConsulAgent agent = ConsulAgent.shared();
    private final String key = "service/" + UUID.randomUUID() + "/leader";
    private final HttpLink link = new HttpLink(agent);
    private final Asker asker = Asker.at(link.url());
    private final Asker hurried = asker.withLimit(LIMIT);

    @AfterEach
    void close() {
        asker.close();
        link.close();
    }

    private static boolean isTransaction(HttpLink.Request request, String verb) {
        return request.path().startsWith("/v1/txn") && request.body().contains("\"" + verb + "\"");
    }

    private void assertUntouched(Claim claim) {
        Entry entry = agent.entry(key);
        assertThat(entry.index()).isEqualTo(claim.token());
        assertThat(entry.isLocked()).isTrue();
        assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
    }

    @Test
    void aLateUnlockFreesNoLaterTerm() throws Exception {
        Claim first = asker.grant(key);
        HttpLink.Held unlock = link.hold(request -> isTransaction(request, "unlock"));
        assertThat(hurried.failure(store -> store.release(hurried.own(first)))).isNotNull();
        unlock.await();
        assertThat(asker.release(first)).isTrue();
        Claim second = asker.grant(key, Asker.holder("second"));
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(unlock.deliver().statusCode()).isEqualTo(409);
        assertUntouched(second);
    }

    @Test
    void aLateDestroyEndsNoLaterTerm() throws Exception {
        Claim first = asker.grant(key);
        HttpLink.Held destroy = link.hold(request -> request.path().startsWith("/v1/session/destroy/"));
        assertThat(hurried.failure(store -> store.release(hurried.own(first)))).isNotNull();
        destroy.await();
        Claim second = asker.grant(key, Asker.holder("second"));
        assertThat(destroy.deliver().statusCode()).isEqualTo(200);
        assertUntouched(second);
        assertThat(agent.sessions(key)).isEqualTo(1);
    }

    @Test
    void aLateLockTakesNothingFromALaterTermAndNothingThatIsFree() throws Exception {
        Holder first = Asker.holder("first");
        HttpLink.Held lock = link.hold(request -> isTransaction(request, "lock"));
        assertThat(hurried.failure(store -> hurried.asks(key, first))).isNotNull();
        lock.await();
        asker.release(asker.claim(key, first, Claim.UNKNOWN_TOKEN));
        Claim second = asker.grant(key, Asker.holder("second"));
        assertThat(lock.deliver().statusCode()).isEqualTo(409);
        assertUntouched(second);
        assertThat(asker.release(second)).isTrue();
        assertThat(lock.deliver().statusCode()).isEqualTo(409);
        assertThat(agent.entry(key).isLocked()).isFalse();
        assertThat(agent.sessions(key)).isZero();
    }

    /**
     * Nobody knows the session's id but the one who made it, so its answer is waited for after the call is over.
     */
    @Test
    void aSessionThatIsMadeLateIsDestroyed() throws Exception {
        Holder first = Asker.holder("first");
        HttpLink.Held create = link.hold(request -> request.path().equals("/v1/session/create"));
        CompletableFuture<?> asked = asker.asks(key, first).toCompletableFuture();
        create.await();
        CompletableFuture<Boolean> released = asker.store()
                .release(asker.claim(key, first, Claim.UNKNOWN_TOKEN))
                .toCompletableFuture();
        create.deliverAndAnswer();
        assertThat(asked).failsWithin(Duration.ofSeconds(90));
        assertThat(released).succeedsWithin(Duration.ofSeconds(90)).isEqualTo(false);
        assertThat(agent.sessions(key)).isZero();
        asker.grant(key);
    }
}
