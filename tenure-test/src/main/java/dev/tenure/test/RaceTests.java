package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.RenewResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Many at once.
 */
abstract class RaceTests extends WatchTests {
    private static final int CLIENTS = 4;
    private static final int WORKERS = 4;
    private static final int STEPS = 10;
    private static final int PAIRS = 30;
    private static final int FIRST_USERS = 20;

    private volatile int counter;

    RaceTests() {}

    @Test
    void exactlyOneOfManyWinsEachRound() {
        List<StoreClient> clients = clients(Math.min(CLIENTS, threads()));
        long last = 0;
        try (Together together = new Together(threads(), patience())) {
            for (int round = 0; round < rounds(); round++) {
                Claim winner = onlyWinner(together, clients, threads());
                assertThat(winner.token()).as("round %d", round).isGreaterThan(last);
                last = winner.token();
                assertThat(clients.get(0).release(winner)).isTrue();
            }
        }
    }

    @Test
    void firstUseByManyClientsAtOnceGrantsOne() {
        List<StoreClient> clients = clients(FIRST_USERS);
        try (Together together = new Together(FIRST_USERS, patience())) {
            Claim winner = onlyWinner(together, clients, FIRST_USERS);
            assertThat(clients.get(0).release(winner)).isTrue();
        }
    }

    private List<StoreClient> clients(int count) {
        List<StoreClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(client());
        }
        return clients;
    }

    private Claim onlyWinner(Together together, List<StoreClient> clients, int candidates) {
        List<Holder> holders = new ArrayList<>();
        List<Callable<AcquireResult>> asks = new ArrayList<>();
        for (int i = 0; i < candidates; i++) {
            Holder holder = holder("c" + i);
            StoreClient client = clients.get(i % clients.size());
            holders.add(holder);
            asks.add(() -> client.ask(key(), holder));
        }
        List<AcquireResult> answers = together.run(asks);
        List<Claim> winners = new ArrayList<>();
        for (int i = 0; i < candidates; i++) {
            if (answers.get(i) instanceof Granted granted) {
                winners.add(clients.get(0).claim(key(), holders.get(i), granted.token()));
            }
        }
        assertThat(winners).as("winners").hasSize(1);
        assertThat(answers).filteredOn(Denied.class::isInstance).hasSize(candidates - 1);
        clients.get(0).assertHolds(winners.get(0));
        return winners.get(0);
    }

    /**
     * Read, wait, write: loses counts as soon as two are inside at once.
     */
    @Test
    void counterGuardedByTheLeaseStaysExact() {
        counter = 0;
        List<Callable<Boolean>> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            StoreClient client = client();
            workers.add(() -> {
                for (int step = 0; step < STEPS; step++) {
                    countUnderLease(client);
                }
                return true;
            });
        }
        try (Together together = new Together(WORKERS, patience().multipliedBy(6))) {
            assertThat(together.run(workers)).containsOnly(true);
        }
        assertThat(counter).isEqualTo(WORKERS * STEPS);
    }

    private void countUnderLease(StoreClient client) throws InterruptedException {
        Holder holder = holder("counter");
        AcquireResult answer = client.ask(key(), holder);
        while (!(answer instanceof Granted)) {
            TimeUnit.MILLISECONDS.sleep(1);
            answer = client.ask(key(), holder);
        }
        int read = counter;
        TimeUnit.MILLISECONDS.sleep(1);
        counter = read + 1;
        assertThat(client.release(client.claim(key(), holder, ((Granted) answer).token())))
                .isTrue();
    }

    @Test
    void renewalAndReleaseAtOnceLeaveTheKeyFree() {
        StoreClient one = client();
        StoreClient other = client();
        try (Together together = new Together(2, patience())) {
            for (int i = 0; i < PAIRS; i++) {
                Claim claim = one.grant(key(), holder("a"));
                List<Object> answers =
                        together.run(List.<Callable<Object>>of(() -> one.renew(claim), () -> other.release(claim)));
                assertThat(answers.get(1)).isEqualTo(true);
                one.assertFree(key());
                assertRefused(one, claim);
            }
        }
    }

    @Test
    void renewalAndRevocationAtOnceLeaveTheRecordNobodys() {
        StoreClient one = client();
        StoreClient other = client();
        try (Together together = new Together(2, patience())) {
            for (String key : freshKeys(PAIRS)) {
                Claim claim = one.grant(key, holder("a"));
                List<Object> answers =
                        together.run(List.<Callable<Object>>of(() -> one.renew(claim), () -> other.revoke(key)));
                assertThat(answers.get(1)).isEqualTo(true);
                assertRefused(one, claim);
                one.denied(key, holder("b"));
            }
        }
    }

    @Test
    void renewalsOfOneClaimAtOnceAllSucceed() {
        List<StoreClient> clients = clients(CLIENTS);
        Claim claim = clients.get(0).grant(key(), holder("a"));
        List<Callable<RenewResult>> renewals = new ArrayList<>();
        clients.forEach(client -> renewals.add(() -> client.renew(claim)));
        try (Together together = new Together(CLIENTS, patience())) {
            for (int i = 0; i < PAIRS; i++) {
                assertThat(together.run(renewals)).containsOnly(RenewResult.RENEWED);
            }
        }
        clients.get(0).assertHolds(claim);
    }
}
