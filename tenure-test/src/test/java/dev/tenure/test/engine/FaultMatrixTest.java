package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every call with every fault, every event with a minute's stop behind it. Whatever happens, the invariants hold, which
 * the base class judges, and in the end one of two leads.
 */
class FaultMatrixTest extends EngineTest {

    enum Fault {
        NEVER_ARRIVES,
        NEVER_ANSWERED,
        ANSWERED_TWICE,
        ARRIVES_TWICE,
        ARRIVES_AFTER_THE_LEASE,
        ANSWERED_AFTER_THE_DEADLINE,
        ANSWERED_LATE,
        FAILS_AFTER_EFFECT,
        FAILS,
        THROWS,
        FAILS_AND_IS_ANSWERED,
        ANSWERED_AND_FAILS
    }

    static Stream<Arguments> everyCallWithEveryFault() {
        return Stream.of(Kind.ACQUIRE, Kind.RENEW, Kind.RELEASE)
                .flatMap(kind -> Stream.of(Fault.values()).map(fault -> Arguments.of(kind, fault)));
    }

    private void inject(StoreRule.Selection calls, Fault fault) {
        switch (fault) {
            case NEVER_ARRIVES -> calls.loseRequest();
            case NEVER_ANSWERED -> calls.loseAnswer();
            case ANSWERED_TWICE ->
                calls.does(call -> {
                    call.answer();
                    world.after(seconds(1.5), call::answer);
                });
            case ARRIVES_TWICE ->
                calls.does(call -> {
                    call.answer();
                    world.after(seconds(2.2), call::apply);
                });
            case ARRIVES_AFTER_THE_LEASE -> calls.delay(seconds(15), Duration.ZERO);
            case ANSWERED_AFTER_THE_DEADLINE -> calls.delay(Duration.ZERO, seconds(12));
            case ANSWERED_LATE -> calls.delay(seconds(2), seconds(2));
            case FAILS_AFTER_EFFECT -> calls.failAfterEffect(EngineTest::outage);
            case FAILS -> calls.fail(EngineTest::outage);
            case THROWS -> calls.throwing(() -> new IllegalStateException("thrown by the store"));
            case FAILS_AND_IS_ANSWERED ->
                calls.does(call -> {
                    call.apply().fail(outage());
                    world.after(seconds(1), call::answer);
                });
            case ANSWERED_AND_FAILS ->
                calls.does(call -> {
                    call.answer();
                    world.after(seconds(1), () -> call.fail(outage()));
                });
        }
    }

    @ParameterizedTest
    @MethodSource("everyCallWithEveryFault")
    void oneCallWithAFaultInEveryTerm(Kind kind, Fault fault) {
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        inject(store().on(kind).times(1), fault);
        inject(store().on(kind).skipping(3).times(1), fault);
        inject(store().on(kind).skipping(9).times(2), fault);
        run(a, b);
    }

    @ParameterizedTest
    @MethodSource("everyCallWithEveryFault")
    void everyCallOfOneProcessWithAFault(Kind kind, Fault fault) {
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        inject(store().on(kind).from("a"), fault);
        run(a, b);
    }

    private void run(VirtualTenure a, VirtualTenure b) {
        ScriptedWork work = new ScriptedWork();
        LeaderElector first = a.stand(ROLE, work);
        LeaderElector second = b.stand(ROLE);
        for (int i = 0; i < 8; i++) {
            world.advance(seconds(7));
            first.resign();
            world.advance(seconds(1));
            work.finish();
            world.advance(seconds(4));
            second.resign();
        }
        store().heal();
        world.advance(seconds(45));
        assertThat(List.of(first.isLeader(), second.isLeader())).containsOnlyOnce(true);
        assertThat(work.concurrent()).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("everyCallWithEveryFault")
    void closingInTheMidstOfAFault(Kind kind, Fault fault) {
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        inject(store().on(kind).from("a"), fault);
        a.stand(ROLE);
        LeaderElector second = b.stand(ROLE);
        world.advance(seconds(3.5));
        var closing = closing(a);
        world.advance(seconds(14));
        assertThat(closing.result()).isTrue();
        world.advance(seconds(20));
        store().heal();
        world.advance(seconds(20));
        assertThat(second.isLeader()).isTrue();
        assertThat(store().calls(Kind.RENEW, "a").stream().map(StoreCall::sentAt))
                .allMatch(at -> at.compareTo(seconds(17.5)) < 0);
    }

    @ParameterizedTest
    @CsvSource({
        "Stand, 60",
        "Acquired, 60",
        "Acquired, 5",
        "Renewed, 60",
        "Renewed, 8",
        "Tick, 60",
        "Tick, 5",
        "Woken, 60",
        "End, 60",
        "End, 8",
        "UserCodeEnded, 60",
        "Released, 60",
        "Failed, 60",
        "WorkReturned, 60",
        "Batch, 60"
    })
    void stopOfAMinuteBehindEveryEvent(String event, int length) {
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        ScriptedWork work = new ScriptedWork();
        LeaderElector first = a.stand(ROLE, work);
        a.stand("beside");
        a.stallAfter(event, seconds(length));
        world.settle();
        LeaderElector second = b.stand(ROLE);
        for (int i = 0; i < 4; i++) {
            world.advance(seconds(4));
            work.finish();
            world.advance(seconds(3));
            store().on(Kind.RENEW).once().fail(EngineTest::outage);
            world.advance(seconds(5));
            second.resign();
            a.stallAfter(event, seconds(length));
            world.advance(seconds(5));
            first.resign();
            world.advance(seconds(1));
        }
        a.stallAfter("nothing", Duration.ZERO);
        work.finish();
        world.advance(seconds(40));
        assertThat(List.of(first.isLeader(), second.isLeader())).containsOnlyOnce(true);
        assertThat(work.concurrent()).isLessThanOrEqualTo(1);
    }
}
