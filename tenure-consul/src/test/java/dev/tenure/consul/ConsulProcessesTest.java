package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LossReason;
import dev.tenure.consul.MemberProcess.Entry;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Several processes, one role; a leader that is killed, and one that is frozen for longer than its session lives.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(900)
class ConsulProcessesTest {
    private static final int PROCESSES = 3;

    /** Consul may take twice a session's time to notice its end. */
    private static final Duration TAKE_OVER = Member.LEASE.multipliedBy(2).plus(Member.LOCK_DELAY);

    /** For what takes no time but on a busy machine: it finds what hangs, and measures nothing. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private ConsulAgent agent;
    private String registers;
    private final List<MemberProcess> all = new ArrayList<>();
    private final List<MemberProcess> alive = new ArrayList<>();

    @BeforeEach
    void start() throws SQLException {
        registers = RegisterWork.url(folder.resolve("registers.db").toString());
        RegisterWork.create(registers);
        agent = new ConsulAgent().start();
        for (int i = 0; i < PROCESSES; i++) {
            MemberProcess member = MemberProcess.start("member-" + i, agent, registers, folder);
            all.add(member);
            alive.add(member);
        }
        for (MemberProcess member : all) {
            Eventually.becomes(
                    member + " stands", PATIENCE, () -> member.last("stands", 0).isPresent());
        }
    }

    @AfterEach
    void endAll() {
        all.forEach(MemberProcess::close);
        agent.close();
    }

    @Test
    void aKilledLeaderIsFollowedWithinTheTimeThatConsulTakes() throws SQLException {
        Entry led = latestWrite();
        long killed = System.nanoTime();
        led.member().close();
        alive.remove(led.member());
        Entry next = await("a leader after a kill", entry -> entry.is("held") && entry.token() > led.token());
        assertThat(Duration.ofNanos(next.at() - killed)).isBetween(Member.LOCK_DELAY, TAKE_OVER.plus(PATIENCE));
        endCleanly();
        assertTermsFollowOneAnother();
        assertGuardedTableIsInOrder();
    }

    /**
     * It has looked at its lease and is about to write; when it does, somebody else has long been leading.
     */
    @Test
    void R096_R101_aFrozenLeaderWakesWithoutItsLeaseAndItsGuardedWriteIsRefused() throws SQLException {
        latestWrite();
        alive.forEach(member -> member.order("hold"));
        Entry waits = await("a leader that waits", entry -> entry.is("waits"));
        MemberProcess frozen = waits.member();
        frozen.freeze();
        alive.stream().filter(member -> member != frozen).forEach(member -> member.order("go"));
        await("a write of its successor", entry -> entry.is("wrote") && entry.token() > waits.token());

        frozen.order("go");
        frozen.resume();
        long token = waits.token();
        Entry lost = await(frozen, "lost", token);
        assertThat(LossReason.valueOf(lost.detail()).isVoluntary()).isFalse();
        Entry goes = await(frozen, "goes", token);
        assertThat(goes.detail()).isEqualTo("lost");
        assertThat(highest(await(frozen, "refused", token))).isGreaterThan(token);
        // What the fence is for: without one, the late write comes after the successor's.
        Entry late = await(
                "the late write", entry -> entry.member() == frozen && entry.is("wrote") && entry.at() > goes.at());
        assertThat(late.token()).isEqualTo(token);
        assertThat(highest(late)).isGreaterThan(token);
        endCleanly();
        assertTermsFollowOneAnother();
        assertGuardedTableIsInOrder();
    }

    private void endCleanly() {
        alive.forEach(member -> member.order("end"));
        for (MemberProcess member : alive) {
            assertThat(member.awaitEnd()).as(member.errors()).isZero();
            assertThat(member.last("ended", 0)).isPresent();
        }
        String key = "service/" + Member.ROLE + "/leader";
        // A session that was left would last for ten seconds at least.
        Eventually.becomes(
                "no lock and no orphan",
                Duration.ofSeconds(8),
                () -> !agent.entry(key).isLocked() && agent.sessions(key) == 0);
    }

    /**
     * Of each term, from the first to the last time it was seen to be held. A look at the lease is noted with a time from
     * before it, so a freeze in its midst makes no term look longer than it was.
     */
    private void assertTermsFollowOneAnother() {
        Map<Long, List<Entry>> terms = history()
                .filter(entry -> entry.is("held"))
                .collect(Collectors.groupingBy(Entry::token, TreeMap::new, Collectors.toList()));
        assertThat(terms).hasSizeGreaterThan(1);
        Entry lastHeld = null;
        for (List<Entry> looks : terms.values()) {
            assertThat(looks.stream().map(Entry::member).distinct()).hasSize(1);
            if (lastHeld != null) {
                assertThat(looks.get(0).at())
                        .as("begin of %s after the end of %s", looks.get(0), lastHeld)
                        .isGreaterThan(lastHeld.at());
            }
            lastHeld = looks.get(looks.size() - 1);
        }
    }

    private void assertGuardedTableIsInOrder() throws SQLException {
        List<Long> written = RegisterWork.guarded(registers);
        assertThat(written).isSorted();
        assertThat(written)
                .containsAll(history()
                        .filter(entry -> entry.is("accepted"))
                        .map(Entry::token)
                        .distinct()
                        .toList());
    }

    private Stream<Entry> history() {
        return all.stream().flatMap(member -> member.entries().stream()).sorted(Comparator.comparingLong(Entry::at));
    }

    /**
     * By the process that leads.
     */
    private Entry latestWrite() {
        long now = System.nanoTime();
        return await("a write", entry -> entry.is("wrote") && entry.at() > now);
    }

    private Entry await(MemberProcess member, String what, long token) {
        return await(
                member + ": " + what + " of " + token,
                entry -> entry.member() == member && entry.is(what) && entry.token() == token);
    }

    private Entry await(String what, Predicate<Entry> wanted) {
        try {
            Eventually.becomes(what, TAKE_OVER.plus(PATIENCE), () -> history().anyMatch(wanted));
        } catch (AssertionError never) {
            throw new AssertionError(all.stream().map(MemberProcess::story).collect(Collectors.joining()), never);
        }
        return history().filter(wanted).findFirst().orElseThrow();
    }

    private static long highest(Entry entry) {
        return Long.parseLong(entry.detail());
    }
}
