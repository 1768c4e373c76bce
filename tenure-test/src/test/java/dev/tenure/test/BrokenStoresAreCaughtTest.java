package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BrokenStoresAreCaughtTest {

    @ParameterizedTest
    @EnumSource
    void brokenStoreFailsTheTestThatIsThereForIt(BrokenStore broken) {
        ContractRun run = new ContractRun(() -> QuickContract.ofABroken(broken.store()));
        assertThat(run.failures()).containsKey(broken.caughtBy());
    }

    @Test
    void soundStoreFailsNone() {
        ContractRun run = new ContractRun(() -> QuickContract.ofASound(DocumentStore::new));
        assertThat(run.failures()).isEmpty();
        assertThat(run.skipped())
                .containsExactlyInAnyOrder(
                        "releaseElsewhereWakesAWatcher", "eachWatcherIsWoken", "wakeUpThatThrowsHarmsNobody");
    }

    @Test
    void contractHasItsTests() {
        assertThat(ContractRun.tests()).hasSizeGreaterThanOrEqualTo(45);
        assertThat(ContractRun.tests().stream().map(test -> test.getName())).doesNotHaveDuplicates();
    }
}
