package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretsTest {
    private static final String URL = "jdbc:postgresql://db/app?user=app&password=hunter%212&ssl=true";

    @Test
    void hidesPasswordsOfUrls() {
        assertThat(Secrets.hideUrl(URL)).isEqualTo("jdbc:postgresql://db/app?user=app&password=***&ssl=true");
        assertThat(Secrets.hideUrl("redis://app:hunter2@db:6379/0")).isEqualTo("redis://***@db:6379/0");
        assertThat(Secrets.hideUrl("redis://:hunter2@db")).isEqualTo("redis://***@db");
    }

    @Test
    void hidesAllPasswordsOfRedisUrls() {
        assertThat(Secrets.hideUrl("redis://hunter2@db")).isEqualTo("redis://***@db");
        assertThat(Secrets.hideUrl("rediss-sentinel://:hunt@er2@a:1,b:2?sentinelPassword=s3cret&keyPassword=k3y#main"))
                .isEqualTo("rediss-sentinel://***@a:1,b:2?sentinelPassword=***&keyPassword=***");
        assertThat(Secrets.of(List.of("redis-sentinel://hunter2@a,b?sentinelPassword=s3cret#main"))
                        .hide("WRONGPASS hunter2, s3cret"))
                .isEqualTo("WRONGPASS ***, ***");
    }

    @Test
    void hidesTheTokensOfConsulUrls() {
        assertThat(Secrets.hideUrl("consul://h:8500?dc=a&token=s3cret&lockDelay=1s"))
                .isEqualTo("consul://h:8500?dc=a&token=***&lockDelay=1s");
        assertThat(Secrets.of(List.of("consul+https://h?token=s3cret")).hide("unknown: s3cret"))
                .isEqualTo("unknown: ***");
    }

    @Test
    void leavesOtherUrlsAsTheyAre() {
        assertThat(Secrets.hideUrl("jdbc:sqlite:/var/lib/a@b/c.db")).isEqualTo("jdbc:sqlite:/var/lib/a@b/c.db");
        assertThat(Secrets.hideUrl("redis://db:6379/0?tokens=counter")).isEqualTo("redis://db:6379/0?tokens=counter");
    }

    @Test
    void hidesKnownPasswordsInAnyText() {
        Secrets secrets = Secrets.of(List.of("run", URL, "redis://u:s3cret@h"));
        assertThat(secrets.hide("FATAL: cannot log in with hunter!2 (or \"hunter%212\"), s3cret."))
                .isEqualTo("FATAL: cannot log in with *** (or \"***\"), ***.");
    }

    @Test
    void hidesWholeWordsOnly() {
        Secrets secrets = Secrets.of(List.of("jdbc:postgresql://db/app?password=tenure"));
        assertThat(secrets.hide("tenured professors of tenure")).isEqualTo("tenured professors of ***");
    }

    @Test
    void tokensAreNoSecrets() {
        assertThat(Secrets.of(List.of()).hide("TOKEN=42, token=43")).isEqualTo("TOKEN=42, token=43");
    }

    @Test
    void outputIsHiddenLineByLine() throws IOException {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        HidingOutput hiding = new HidingOutput(shown, Secrets.of(List.of(URL)));
        try (PrintStream out = new PrintStream(hiding, false, StandardCharsets.UTF_8)) {
            out.print("the password is hunter");
            out.println("!2 ✓");
            out.print("> ");
            out.flush();
            assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("the password is *** ✓\n> ");
        }
    }
}
