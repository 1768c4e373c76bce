package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.Registration;
import dev.tenure.consul.FaultProxy.Fate;
import dev.tenure.spi.Claim;
import dev.tenure.test.Asker;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Who hears of changes, by how many queries, on an agent.
 */
class WatchesTest {
    private final ConsulAgent agent = ConsulAgent.shared();
    private final FaultProxy proxy = new FaultProxy(agent);
    private final String folder = "roles-" + UUID.randomUUID() + "/";
    private final Asker asker = Asker.at(agent.url());
    private final Asker waiting = Asker.at(proxy.url());
    private final List<Claim> claims = new ArrayList<>();
    private final List<Semaphore> woken = new ArrayList<>();
    private final List<Registration> watches = new ArrayList<>();

    @AfterEach
    void close() {
        waiting.close();
        asker.close();
        proxy.close();
    }

    /**
     * Held by one store, watched by the other.
     */
    private void watchHeld(int count) {
        for (int i = 0; i < count; i++) {
            claims.add(asker.grant(folder + claims.size()));
            watch(folder + watches.size());
        }
    }

    private void watch(String key) {
        Semaphore each = new Semaphore(0);
        woken.add(each);
        watches.add(waiting.store().watch(key, each::release));
    }

    private void queriesAreHeld(int count) {
        Eventually.becomes(count + " held queries", () -> proxy.held() == count);
    }

    private void eachReleaseWakes() throws InterruptedException {
        woken.forEach(Semaphore::drainPermits);
        for (Claim claim : claims) {
            assertThat(asker.release(claim)).isTrue();
        }
        for (int i = 0; i < claims.size(); i++) {
            assertThat(woken.get(i).tryAcquire(60, TimeUnit.SECONDS))
                    .as("wake-up for %s", claims.get(i).key())
                    .isTrue();
        }
    }

    private long prefixQueries() {
        return proxy.requests().stream()
                .filter(request -> request.path().contains("recurse"))
                .count();
    }

    @Test
    void upToSixKeysHaveAQueryEachAndAReleaseWakes() throws InterruptedException {
        watchHeld(6);
        queriesAreHeld(6);
        assertThat(woken).as("held all the time").allMatch(each -> each.availablePermits() == 0);
        eachReleaseWakes();
        assertThat(prefixQueries()).isZero();
    }

    @Test
    void moreKeysThatAreAloneInTheirFolderShareOneQuery() throws InterruptedException {
        watchHeld(6);
        queriesAreHeld(6);
        watchHeld(5);
        Eventually.becomes("a query of the folder", () -> prefixQueries() >= 2);
        eachReleaseWakes();
        assertThat(prefixQueries()).as("followed slowly").isLessThan(40);
    }

    @Test
    void keyThatJoinsTheFolderLaterIsHeardOf() throws InterruptedException {
        watchHeld(8);
        Eventually.becomes("a query of the folder", () -> prefixQueries() >= 2);
        watchHeld(1);
        watch(folder + "free");
        assertThat(woken.get(9).tryAcquire(60, TimeUnit.SECONDS))
                .as("it is free already")
                .isTrue();
        eachReleaseWakes();
    }

    @Test
    void folderThatOthersUseIsNotAskedFor() throws InterruptedException {
        agent.json("PUT", "/v1/kv/" + folder + "configuration", "of another program");
        watchHeld(8);
        Eventually.becomes("two rounds of reading", () -> transactions() >= 2);
        eachReleaseWakes();
        assertThat(prefixQueries()).isZero();
    }

    @Test
    void folderThatOthersBeginToUseIsLeftAlone() throws InterruptedException {
        watchHeld(8);
        Eventually.becomes("a query of the folder", () -> prefixQueries() >= 2);
        long before = transactions();
        agent.json("PUT", "/v1/kv/" + folder + "configuration", "of another program");
        Eventually.becomes("reading instead", () -> transactions() >= before + 2);
        long then = prefixQueries();
        eachReleaseWakes();
        assertThat(prefixQueries()).isEqualTo(then);
    }

    private long transactions() {
        return proxy.requests().stream()
                .filter(request -> request.path().startsWith("/v1/txn"))
                .count();
    }

    @Test
    void keysThatAreNoPathAreReadAndTheirFolderIsHeardOf() throws InterruptedException {
        for (String odd : List.of("/./a", "/../b", "//c")) {
            claims.add(asker.grant(folder + odd));
            watch(folder + odd);
        }
        Eventually.becomes("they are read", () -> transactions() >= 1);
        eachReleaseWakes();
    }

    @Test
    void fewerKeysHaveTheirOwnQueriesAgain() throws InterruptedException {
        watchHeld(7);
        Eventually.becomes("a query of the folder", () -> prefixQueries() >= 2);
        watches.get(6).remove();
        watches.get(6).remove();
        claims.remove(6);
        Eventually.becomes("queries of six keys", () -> proxy.held() >= 6);
        eachReleaseWakes();
    }

    @Test
    void whoComesWhenItIsFreeIsWokenAtOnceWhoeverElseWaits() throws InterruptedException {
        watchHeld(1);
        queriesAreHeld(1);
        eachReleaseWakes();
        watch(folder + 0);
        assertThat(woken.get(1).tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whoComesAndGoesLeavesNoQueriesBehind() throws InterruptedException {
        watchHeld(1);
        queriesAreHeld(1);
        for (int i = 0; i < 200; i++) {
            watches.get(i).remove();
            watch(folder + 0);
        }
        queriesAreHeld(1);
        assertThat(proxy.most()).as("requests at once").isLessThan(10);
        assertThat(asker.release(claims.get(0))).isTrue();
        assertThat(woken.get(200).tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void queryWhoseAnswerStopsInTheMiddleIsAskedAgain() throws InterruptedException {
        watchHeld(1);
        queriesAreHeld(1);
        proxy.on((method, path) -> path.contains("index=") ? Fate.STALLED : Fate.PASSES);
        asker.release(claims.get(0));
        Eventually.becomes("an answer that stops", () -> proxy.held() == 0);
        proxy.all(Fate.PASSES);
        assertThat(woken.get(0).tryAcquire(180, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void removedOnesAreNotWokenAndTheirQueriesEnd() throws InterruptedException {
        watchHeld(2);
        queriesAreHeld(2);
        watches.get(0).remove();
        assertThat(asker.release(claims.get(0))).isTrue();
        assertThat(asker.release(claims.get(1))).isTrue();
        assertThat(woken.get(1).tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        queriesAreHeld(1);
        assertThat(woken.get(0).availablePermits()).isZero();
    }
}
