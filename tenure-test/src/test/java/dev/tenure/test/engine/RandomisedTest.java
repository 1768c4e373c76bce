package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * R046 in small: four candidates, random delays, losses, duplicates, cuts, pauses, suspends, ends. The large one is in
 * the verification module.
 */
class RandomisedTest extends EngineTest {
    private Random random;
    private List<VirtualTenure> processes;
    private List<LeaderElector> electors;
    private List<ScriptedWork> works;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void R046_invariantsHoldWhateverHappens(long seed) {
        world = VirtualWorld.builder().seed(seed).build();
        world.checker().allow(Invariant.LOST_BY_DEADLINE); // pauses are among what happens
        random = new Random(seed);
        processes = new ArrayList<>();
        electors = new ArrayList<>();
        works = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            VirtualTenure process = process("p" + i, options -> options.retryJitter(seconds(0.5)));
            ScriptedWork work = new ScriptedWork();
            processes.add(process);
            works.add(work);
            electors.add(process.stand(ROLE, work));
        }
        store().onAll().does(call -> {
            int dice = random.nextInt(100);
            if (dice < 4) {
                return; // never arrives
            }
            world.after(delay(), () -> {
                call.apply();
                if (dice < 8) {
                    return; // never answered
                }
                if (dice < 11) {
                    world.after(delay(), () -> call.fail(outage()));
                    return;
                }
                world.after(delay(), call::answer);
                if (dice < 15) {
                    world.after(delay().plus(delay()), call::answer);
                }
                if (dice < 17) {
                    world.after(delay(), call::apply);
                }
            });
        });
        for (int step = 0; step < 250; step++) {
            world.advance(Duration.ofMillis(random.nextInt(4_000)));
            happen();
        }
        processes.forEach(VirtualTenure::resume);
        works.forEach(ScriptedWork::finish);
        store().heal();
        world.advance(seconds(60));
        assertThat(electors.stream().filter(LeaderElector::isLeader)).hasSize(1);
        assertThat(works).allMatch(work -> work.concurrent() <= 1);
    }

    private Duration delay() {
        return Duration.ofMillis(random.nextInt(10) == 0 ? random.nextInt(15_000) : random.nextInt(200));
    }

    private void happen() {
        int which = random.nextInt(processes.size());
        VirtualTenure process = processes.get(which);
        switch (random.nextInt(12)) {
            case 0 -> electors.get(which).resign();
            case 1 -> {
                electors.get(which).stop();
                electors.get(which).start();
            }
            case 2 -> works.get(which).finish();
            case 3 -> works.get(which).fail(new IllegalStateException("by chance"));
            case 4 -> {
                process.pause();
                world.after(Duration.ofMillis(random.nextInt(30_000)), process::resume);
            }
            case 5 -> store().cut(process.name());
            case 6 -> store().mend(process.name());
            case 7 -> store().mend(process.name());
            case 8 -> process.stallAfter("Renewed", Duration.ofMillis(random.nextInt(12_000)));
            case 9 -> store().wake(KEY);
            case 10 -> process.time().stepWall(Duration.ofSeconds(random.nextInt(7200) - 3600));
            default -> {}
        }
    }
}
