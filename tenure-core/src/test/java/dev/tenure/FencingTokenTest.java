package dev.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class FencingTokenTest {

    @Test
    void ordersTheTermsOfItsRole() {
        FencingToken first = new FencingToken("billing", 7);
        assertThat(first.isOlderThan(new FencingToken("billing", 8))).isTrue();
        assertThat(first.isOlderThan(new FencingToken("billing", 7))).isFalse();
        assertThat(first.isOlderThan(new FencingToken("billing", 6))).isFalse();
    }

    @Test
    void R104_tokensOfTwoRolesHaveNoOrder() {
        FencingToken billing = new FencingToken("billing", 7);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> billing.isOlderThan(new FencingToken("reports", 8)))
                .withMessageContaining("billing=7")
                .withMessageContaining("reports=8");
    }

    @Test
    void isPositiveAndHasARole() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FencingToken("billing", 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new FencingToken("billing", -1));
        assertThatIllegalArgumentException().isThrownBy(() -> new FencingToken("", 1));
    }

    @Test
    void survivesAHeaderWhateverTheRole() {
        for (String role : new String[] {"billing", "a=b", "ä/ö%\r\n", "日本", "x;y,z \"q\""}) {
            FencingToken token = new FencingToken(role, Long.MAX_VALUE);
            assertThat(token.toHeader()).matches("[\\x21-\\x7e]+");
            assertThat(FencingToken.fromHeader(token.toHeader())).isEqualTo(token);
        }
    }

    @Test
    void refusesHeadersThatAreNone() {
        for (String header : new String[] {"", "billing", "billing=", "billing=x", "=7", "billing=0", "billing=-3"}) {
            assertThatIllegalArgumentException().as(header).isThrownBy(() -> FencingToken.fromHeader(header));
        }
    }
}
