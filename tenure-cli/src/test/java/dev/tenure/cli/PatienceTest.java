package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PatienceTest {

    @Test
    void isGivenUpAfterItsTime() throws InterruptedException {
        Patience patience = new Patience(Optional.of(Duration.ofMillis(20)));
        while (patience.left().compareTo(Duration.ZERO) > 0) {
            Thread.sleep(5);
        }
        assertThat(patience.giveUp()).isTrue();
        assertThat(patience.beginTerm()).isFalse();
    }

    @Test
    void isNotGivenUpInATerm() throws InterruptedException {
        Patience patience = new Patience(Optional.of(Duration.ofMillis(1)));
        assertThat(patience.beginTerm()).isTrue();
        Thread.sleep(5);
        assertThat(patience.giveUp()).isFalse();
        patience.endTerm();
        Thread.sleep(5);
        assertThat(patience.giveUp()).isTrue();
    }

    @Test
    void withoutATimeItHasNoEnd() {
        Patience patience = new Patience(Optional.empty());
        assertThat(patience.giveUp()).isFalse();
        assertThat(patience.left()).isPositive();
        patience.end();
        assertThat(patience.beginTerm()).isFalse();
    }
}
