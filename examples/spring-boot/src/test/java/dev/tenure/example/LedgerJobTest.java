package dev.tenure.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import dev.tenure.spring.TenureAutoConfiguration;
import dev.tenure.test.FakeLeadership;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

@SpringBootTest(
        classes = LedgerJob.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {"tenure.instance=test", "ledger.effort=0s"})
@ImportAutoConfiguration(TenureAutoConfiguration.class)
class LedgerJobTest {
    private static final FakeLeadership LEDGER = FakeLeadership.of("ledger");

    @TestBean(name = "ledgerLeaderElector")
    private LeaderElector elector;

    static LeaderElector elector() {
        return LEDGER;
    }

    @MockitoBean
    private Ledger ledger;

    @Autowired
    private LedgerJob job;

    @Test
    void onlyTheLeaderAppends() {
        job.append();
        verifyNoInteractions(ledger);

        FencingToken token = LEDGER.elect().fencingToken();
        when(ledger.next(token)).thenReturn(7L);
        job.append();
        verify(ledger).append(7, token, "test");
    }

    @Test
    void aRefusalEndsTheTerm() {
        FencingToken token = LEDGER.elect().fencingToken();
        doThrow(new FencedOutException(token, token.value() + 1)).when(ledger).append(any(long.class), any(), any());
        assertThatThrownBy(job::append).isInstanceOf(FencedOutException.class);
        assertThat(LEDGER.isLeader()).isFalse();
    }
}
