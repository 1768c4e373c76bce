package dev.tenure.example;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.spring.CurrentLease;
import dev.tenure.spring.LeaderOnly;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * What only the leader does.
 */
@Component
public class LedgerJob {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerJob.class);

    private final Ledger ledger;
    private final String instance;
    private final Duration effort;

    LedgerJob(Ledger ledger, @Value("${tenure.instance}") String instance, @Value("${ledger.effort}") Duration effort) {
        this.ledger = ledger;
        this.instance = instance;
        this.effort = effort;
    }

    @Scheduled(fixedDelayString = "${ledger.pause}")
    @LeaderOnly("ledger")
    public void append() {
        FencingToken token = CurrentLease.get().fencingToken();
        try {
            long number = ledger.next(token);
            LOG.info("works on entry {} with token {}", number, token.value());
            work();
            LOG.info("writes entry {} with token {}", number, token.value());
            ledger.append(number, token, instance);
        } catch (FencedOutException stale) {
            LOG.warn("refused by the fence: token {}, highest {}", token.value(), stale.highest());
            throw stale; // which ends this term, if it has not ended yet
        }
    }

    /**
     * Stands for something that takes its time and heeds no interrupt: whoever is frozen in here goes on to write
     * afterwards, as if nothing had happened.
     */
    private void work() {
        long until = System.nanoTime() + effort.toNanos();
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }
}
