package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LossReason;
import dev.tenure.redis.MemberProcess.Entry;
import java.nio.file.Path;
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
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Five processes, one role; leaders that are killed, and leaders that are frozen for longer than their lease.
 */
@Isolated("breaks servers that others use, or counts what they do")
@Timeout(900)
class RedisProcessesTest {
    private static final int PROCESSES = 5;
    private static final int ROUNDS = 2;

    /** For what takes no time but on a busy machine: it finds what hangs, and measures nothing. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private RedisNode server;
    private final List<MemberProcess> all = new ArrayList<>();
    private final List<MemberProcess> alive = new ArrayList<>();

    @BeforeEach
    void start() {
        server = new RedisNode().start();
        for (int i = 0; i < PROCESSES; i++) {
            startOne();
        }
        for (MemberProcess member : all) {
            Eventually.becomes(
                    member + " stands", () -> member.last("stands", 0).isPresent());
        }
    }

    @AfterEach
    void endAll() {
        all.forEach(MemberProcess::close);
        server.close();
    }

    @Test
    void lateWritesOfFrozenLeadersAreRefusedWhereGuarded() {
        for (int round = 0; round < ROUNDS; round++) {
            killLeader();
            freezeLeaderBeforeItsWrite();
            freezeLeaderAnywhere();
        }
        endCleanly();
        assertTermsFollowOneAnother();
        assertGuardedListIsInOrder();
    }

    private void startOne() {
        MemberProcess member = MemberProcess.start("member-" + all.size(), server, folder);
        all.add(member);
        alive.add(member);
    }

    private void killLeader() {
        Entry led = latestWrite();
        MemberProcess leader = led.member();
        long killed = System.nanoTime();
        leader.close();
        alive.remove(leader);
        startOne();
        Entry next = await("a leader after a kill", entry -> entry.is("held") && entry.token() > led.token());
        assertThat(Duration.ofNanos(next.at() - killed)).isLessThan(Member.LEASE.plus(PATIENCE));
    }

    /**
     * It has looked at its lease and is about to write; when it does, somebody else has long been leading.
     */
    private void freezeLeaderBeforeItsWrite() {
        long began = System.nanoTime();
        alive.forEach(member -> member.order("hold"));
        Entry waits = await("a leader that waits", entry -> entry.is("waits") && entry.at() >= began);
        MemberProcess frozen = waits.member();
        frozen.freeze();
        alive.stream().filter(member -> member != frozen).forEach(member -> member.order("go"));
        await("a write of its successor", entry -> entry.is("replaced") && entry.token() > waits.token());

        frozen.order("go");
        frozen.resume();
        long token = waits.token();
        Entry lost = await(frozen, "lost", token);
        assertThat(LossReason.valueOf(lost.detail()).isVoluntary()).isFalse();
        Entry goes = await(frozen, "goes", token);
        assertThat(goes.detail()).isEqualTo("lost");
        assertThat(highest(await(frozen, "set-refused", token))).isGreaterThan(token);
        assertThat(highest(await(frozen, "append-refused", token))).isGreaterThan(token);
        // What the fence is for: without one, the late write replaces the successor's.
        Entry late = await(
                "the late write", entry -> entry.member() == frozen && entry.is("replaced") && entry.at() > goes.at());
        assertThat(late.token()).isEqualTo(token);
        assertThat(highest(late)).isGreaterThan(token);
    }

    private void freezeLeaderAnywhere() {
        Entry led = latestWrite();
        MemberProcess frozen = led.member();
        frozen.freeze();
        await("a write of its successor", entry -> entry.is("replaced") && entry.token() > led.token());
        frozen.resume();
        await(frozen, "lost", led.token());
    }

    private void endCleanly() {
        alive.forEach(member -> member.order("end"));
        for (MemberProcess member : alive) {
            assertThat(member.awaitEnd()).as(member.errors()).isZero();
            assertThat(member.last("ended", 0)).isPresent();
        }
        Eventually.becomes(
                "released",
                () -> server.command("EXISTS", "tenure:lock:leader:" + Member.ROLE)
                        .equals("0"));
    }

    /**
     * One term of one process, from the first to the last time it was seen to be held. A look at the lease is noted with
     * a time from before it, so a freeze in its midst makes no term look longer than it was.
     */
    private record Term(long token, List<Entry> looks) {
        long began() {
            return looks.get(0).at();
        }

        long lastHeld() {
            return looks.get(looks.size() - 1).at();
        }
    }

    private void assertTermsFollowOneAnother() {
        Map<Long, List<Entry>> looks = history()
                .filter(entry -> entry.is("held"))
                .collect(Collectors.groupingBy(Entry::token, TreeMap::new, Collectors.toList()));
        List<Term> terms = new ArrayList<>();
        looks.forEach((token, entries) -> {
            assertThat(entries.stream().map(Entry::member).distinct()).hasSize(1);
            terms.add(new Term(token, entries));
        });
        assertThat(terms).hasSizeGreaterThan(3 * ROUNDS);
        for (int i = 1; i < terms.size(); i++) {
            assertThat(terms.get(i).began() - terms.get(i - 1).lastHeld())
                    .as("begin of term %s after the end of %s", terms.get(i), terms.get(i - 1))
                    .isPositive();
        }
    }

    private void assertGuardedListIsInOrder() {
        List<Long> written = server.command("LRANGE", RegisterWork.GUARDED_LIST, "0", "-1")
                .lines()
                .map(Long::valueOf)
                .toList();
        assertThat(written).isSorted();
        assertThat(written)
                .containsAll(history()
                        .filter(entry -> entry.is("append-accepted"))
                        .map(Entry::token)
                        .distinct()
                        .toList());
        assertThat(server.command("GET", RegisterWork.GUARDED))
                .isEqualTo(Long.toString(written.get(written.size() - 1)));
    }

    private Stream<Entry> history() {
        return all.stream().flatMap(member -> member.entries().stream()).sorted(Comparator.comparingLong(Entry::at));
    }

    /**
     * By the process that leads, unless it lost its lease this moment.
     */
    private Entry latestWrite() {
        long now = System.nanoTime();
        return await(
                "a write",
                entry -> entry.is("replaced")
                        && entry.at() > now
                        && entry.member().isAlive());
    }

    private Entry await(MemberProcess member, String what, long token) {
        return await(
                member + ": " + what + " of " + token,
                entry -> entry.member() == member && entry.is(what) && entry.token() == token);
    }

    private Entry await(String what, Predicate<Entry> wanted) {
        try {
            Eventually.becomes(what, () -> history().anyMatch(wanted));
        } catch (AssertionError never) {
            throw new AssertionError(all.stream().map(MemberProcess::story).collect(Collectors.joining()), never);
        }
        return history().filter(wanted).findFirst().orElseThrow();
    }

    private static long highest(Entry entry) {
        return Long.parseLong(entry.detail());
    }
}
