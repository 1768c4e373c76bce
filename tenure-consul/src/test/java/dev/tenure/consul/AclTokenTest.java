package dev.tenure.consul;

import static dev.tenure.consul.AclAgent.least;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Asker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tokens that change while the store runs.
 */
class AclTokenTest {
    private static AclAgent acl;

    @TempDir
    Path folder;

    private final String key = "service/" + UUID.randomUUID() + "/leader";

    @BeforeAll
    static void startAgent() {
        acl = new AclAgent();
    }

    @AfterAll
    static void stopAgent() {
        acl.close();
    }

    private static Asker with(Supplier<String> tokens) {
        LeaseStore store =
                ConsulLeaseStore.builder(acl.agent.url()).token(tokens).build();
        return Asker.of(store);
    }

    private Throwable failureOfRenewing(Asker asker, Claim claim) {
        return asker.failure(store -> store.renew(asker.own(claim)));
    }

    @Test
    void eachRequestHasTheTokenThatTheSupplierGivesThen() {
        AclAgent.Token first = acl.token(least(key));
        AtomicReference<String> token = new AtomicReference<>(first.secret);
        try (Asker asker = with(token::get)) {
            Claim claim = asker.grant(key);
            first.delete();
            assertThat(failureOfRenewing(asker, claim))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining("the ACL token (token supplier) is unknown");
            token.set(acl.token(least(key)).secret);
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
            assertThat(asker.release(claim)).isTrue();
        }
    }

    @Test
    void whatASupplierThrowsIsNoAnswerAndWhatNoTokenCanBeIsRefused() {
        String good = acl.token(least(key)).secret;
        AtomicReference<Supplier<String>> supplier = new AtomicReference<>(() -> good);
        try (Asker asker = with(() -> supplier.get().get())) {
            Claim claim = asker.grant(key);
            RuntimeException thrown = new IllegalStateException("s3cret");
            supplier.set(() -> {
                throw thrown;
            });
            for (int i = 0; i < 20; i++) { // more than are sent at once
                assertThat(failureOfRenewing(asker, claim))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageEndingWith("the token supplier threw java.lang.IllegalStateException")
                        .hasCause(thrown);
            }
            supplier.set(() -> {
                throw new AssertionError();
            });
            for (int i = 0; i < 20; i++) {
                assertThat(failureOfRenewing(asker, claim)).isInstanceOf(StoreUnavailableException.class);
            }
            for (String wrong : new String[] {null, "", "s3cret\nx", "s3crét"}) {
                supplier.set(() -> wrong);
                assertThat(failureOfRenewing(asker, claim))
                        .isInstanceOf(StoreRejectedException.class)
                        .hasMessageContaining("the token supplier must give visible ASCII characters")
                        .hasMessageNotContaining("s3cr");
            }
            supplier.set(() -> good);
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
        }
    }

    @Test
    void aTokenFileIsReadAgainWhenItHasChanged() throws IOException {
        AclAgent.Token first = acl.token(least(key));
        Path file = folder.resolve("token");
        try (Asker asker = Asker.at(acl.agent.url(), "tokenFile", file.toString())) {
            assertThat(asker.failureOfAsking(key))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining("tokenFile must be a readable file: tokenFile=" + file);
            Files.writeString(file, " \n");
            assertThat(asker.failureOfAsking(key))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining("tokenFile must hold a token, of visible ASCII characters");
            Files.writeString(file, "\t" + first.secret + " \n");
            Claim claim = asker.grant(key);
            first.delete();
            assertThat(failureOfRenewing(asker, claim))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining("the ACL token (tokenFile=" + file + ") is unknown");
            AclAgent.Token second = acl.token(least(key));
            Files.writeString(file, second.secret);
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
            Files.writeString(file, "");
            assertThat(asker.renew(claim)).as("while it is being written").isEqualTo(RenewResult.RENEWED);
            Path next = Files.writeString(folder.resolve("next"), acl.token(least(key)).secret);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            second.delete();
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
            assertThat(asker.release(claim)).isTrue();
        }
    }

    @Test
    void nothingThatIsToldShowsAToken() {
        for (AclToken token : new AclToken[] {AclToken.of("s3cret"), AclToken.from(() -> "s3cret")}) {
            assertThat(token.now("here")).isEqualTo("s3cret");
            assertThat(token.toString()).doesNotContain("s3cret");
        }
        ConsulOptions options = ConsulOptions.parse("consul://h?token=s3cret", Map.of());
        assertThat(options.toString()).doesNotContain("s3cret");
    }
}
