package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.LeaderElector;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The harness itself: what it promises, and that its checker finds what is wrong.
 */
class CheckerTest {

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Test
    void grantThatTheStoreNeverGaveIsFound() {
        try (VirtualWorld world = VirtualWorld.create()) {
            world.store().on(Kind.ACQUIRE).answer(AcquireResult.granted(5));
            world.process("a").stand("role");
            world.settle();
            assertThatThrownBy(() -> world.checker().verify())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("HELD_IS_GRANTED");
        }
    }

    @Test
    void twoLeadersAreFound() {
        try (VirtualWorld world = VirtualWorld.create()) {
            world.store().on(Kind.ACQUIRE).answer(AcquireResult.granted(5));
            world.process("a").stand("role");
            world.process("b").stand("role");
            world.settle();
            assertThatThrownBy(() -> world.checker().verify()).hasMessageContaining("ONE_LEADER");
        }
    }

    @Test
    void renewalThatNeverHappenedIsFound() {
        try (VirtualWorld world = VirtualWorld.create()) {
            world.process("a").stand("role");
            world.store().on(Kind.RENEW).answer(RenewResult.RENEWED);
            world.advance(seconds(16));
            assertThatThrownBy(() -> world.checker().verify()).hasMessageContaining("HELD_IS_GRANTED");
        }
    }

    @Test
    void tokenThatDoesNotRiseIsFound() {
        try (VirtualWorld world = VirtualWorld.create()) {
            VirtualTenure a = world.process("a");
            LeaderElector elector = a.stand("role");
            world.settle();
            elector.stop();
            world.settle();
            a.crash();
            world.store().time().stepWall(Duration.ofHours(-1));
            world.store().direct().acceptToken("leader:role", 1);
            world.process("b").stand("role");
            world.settle();
            assertThatThrownBy(() -> world.checker().verify()).hasMessageContaining("TOKENS_RISE");
        }
    }

    @Test
    void goodElectionHasNoViolation() {
        try (VirtualWorld world = VirtualWorld.create()) {
            world.process("a").stand("role");
            world.process("b").stand("role");
            world.advance(seconds(100));
            world.close();
            world.checker().verify();
        }
    }

    @Test
    void sameSeedIsTheSameStory() {
        List<String> stories = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (VirtualWorld world = VirtualWorld.builder().seed(42).build()) {
                LeaderElector first = world.process("a").stand("role");
                world.process("b").stand("role");
                world.advance(seconds(20));
                first.resign();
                world.advance(seconds(60));
                stories.add(world.recorder().events().toString() + world.store().calls());
            }
        }
        assertThat(stories.get(0)).isEqualTo(stories.get(1));
    }

    @Test
    void clocksMoveApart() {
        try (VirtualWorld world = VirtualWorld.create()) {
            VirtualTenure a = world.process("a");
            long nanos = a.time().nanos();
            long uptime = a.time().uptimeNanos();
            a.suspend();
            world.advance(seconds(10));
            a.resume();
            world.advance(seconds(1));
            assertThat(a.time().nanos() - nanos).isEqualTo(seconds(1).toNanos());
            assertThat(a.time().uptimeNanos() - uptime).isEqualTo(seconds(11).toNanos());
            var wall = a.time().wall();
            a.time().stepWall(seconds(-100));
            assertThat(a.time().wall()).isEqualTo(wall.minusSeconds(100));
            assertThat(world.store().time().nanos())
                    .isEqualTo(nanos + seconds(11).toNanos());
        }
    }

    @Test
    void heldCallbacksRunOneByOne() {
        try (VirtualWorld world = VirtualWorld.create()) {
            VirtualTenure a = world.process("a");
            a.holdCallbacks();
            a.stand("role");
            world.settle();
            assertThat(world.recorder().events()).isEmpty();
            int ran = 0;
            while (a.runCallback()) {
                ran++;
            }
            assertThat(ran).isGreaterThan(2);
            assertThat(world.recorder().events()).isNotEmpty();
            assertThat(a.runCallback()).isFalse();
        }
    }

    @Test
    void passIsForUserCodeAndAdvanceForTheTest() {
        try (VirtualWorld world = VirtualWorld.create()) {
            assertThatThrownBy(() -> world.pass(seconds(1))).isInstanceOf(IllegalStateException.class);
            VirtualTenure a = world.process("a");
            assertThat(a.call(() -> {
                                world.advance(seconds(1));
                                return true;
                            })
                            .failure())
                    .isInstanceOf(IllegalStateException.class);
        }
    }
}
