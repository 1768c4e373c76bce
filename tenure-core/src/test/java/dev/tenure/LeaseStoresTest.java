package dev.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.StoreTraits;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeaseStoresTest {

    @Test
    void opensMemoryByUrl() {
        try (LeaseStore store = LeaseStores.open("memory:")) {
            assertThat(store.traits().scope()).isEqualTo(StoreTraits.Scope.PROCESS);
        }
    }

    @Test
    void namesTheKnownSchemesWhenItKnowsNoSuchOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStores.open("ftp://host/x"))
                .withMessageContaining("memory:")
                .withMessageContaining("store=ftp:…");
    }

    @Test
    void printsNoPasswordWhereverItStands() {
        for (String url : new String[] {
            "nosuch://user:s3cret@host/db?password=s3cret&x=1&PWD=s3cret",
            "foo://u:first@s3cret@h",
            "foo://u:ab/s3cret@h/x",
            "foo://u:ab#s3cret@h/x",
            "jdbc:oracle:thin:scott/s3cret@host:1521:x",
            "jdbc:sqlserver://h;user=u;password={abc;s3cret}"
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LeaseStores.open(url, Map.of("password", "s3cret")))
                    .withMessageNotContaining("s3cret");
        }
    }

    @Test
    void keepsMessagesOnOneLine() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStores.open("no\nsuch\r\u001b[31m:" + "x".repeat(1000)))
                .satisfies(refused -> assertThat(refused.getMessage().length()).isLessThan(400))
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContainPattern("\\p{Cntrl}"));
    }

    @Test
    void memoryTakesNothingMore() {
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseStores.open("memory:x"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStores.open("memory:", Map.of("namespace", "a")))
                .withMessageContaining("namespace");
    }
}
