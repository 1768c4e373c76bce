package dev.tenure;

import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What core's classes may use. A class that breaks a rule on purpose is named here.
 */
class ArchitectureTest {

    /** The only reader of clocks. */
    private static final String SYSTEM_TIME = "dev.tenure.engine.SystemTime";

    /** The only classes that make threads. They also run tasks of Tenure itself, so they call {@link Runnable#run}. */
    private static final Set<String> THREAD_OWNERS =
            Set.of("dev.tenure.engine.LoopThread", "dev.tenure.engine.CallbackThreads", "dev.tenure.BlockingThreads");

    /** The only classes that call what users hand in: listeners, leader work, monitors. They hold no lock. */
    private static final Set<String> USER_CODE_CALLERS = Set.of(
            "dev.tenure.channel.GatedChannel",
            "dev.tenure.engine.UserTask",
            "dev.tenure.engine.EngineWatch",
            "dev.tenure.engine.Listener",
            "dev.tenure.engine.MonitorBox",
            "dev.tenure.engine.MonitorFeed",
            "dev.tenure.engine.Reports",
            "dev.tenure.engine.Signals",
            "dev.tenure.engine.WorkRun",
            "dev.tenure.schedule.TaskRun");

    /** Run tasks of Tenure's own: events, ends, wake-ups. Some lead to user code's executor, so they hold no lock either. */
    private static final Set<String> TASK_RUNNERS = Set.of(
            "dev.tenure.channel.PlainHost",
            "dev.tenure.engine.ElectionLoop",
            "dev.tenure.engine.EngineSchedules",
            "dev.tenure.engine.Mailbox",
            "dev.tenure.engine.Users",
            "dev.tenure.engine.TermCode",
            "dev.tenure.engine.WithdrawingFuture",
            "dev.tenure.memory.MemoryWatches",
            "dev.tenure.memory.UncoordinatedLeaseStore",
            "dev.tenure.schedule.Lanes",
            "dev.tenure.schedule.PlainScheduleHost");

    /** Apply a user's settings on the user's own thread, before anything runs. */
    private static final Set<String> CONFIGURATORS =
            Set.of("dev.tenure.Tenure", "dev.tenure.engine.EngineElections", "dev.tenure.schedule.TenureScheduler");

    /**
     * The only classes that wait in real time: for calls that block, which no virtual clock can hasten, and on behalf of
     * a leadership that is not the engine's.
     */
    private static final Set<String> REAL_TIME_TIMERS =
            Set.of("dev.tenure.BlockingThreads", "dev.tenure.schedule.PlainScheduleHost");

    private static final Set<String> USER_INTERFACES = Set.of(
            "java.util.function.Consumer",
            "java.util.function.BiConsumer",
            "dev.tenure.LeaderWork",
            "dev.tenure.schedule.SlotWork",
            "dev.tenure.spi.ElectionMonitor");

    private static JavaClasses core = new ClassFileImporter().importClasses();

    @BeforeAll
    static void importCore() throws URISyntaxException {
        Path classes = Path.of(
                Tenure.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        core = new ClassFileImporter().importPath(classes);
        assertThat(core).hasSizeGreaterThan(20);
    }

    @Test
    void coreNeedsSlf4jAndNothingElse() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.slf4j..", "org.jspecify..", "dev.tenure..")
                .check(core);
    }

    @Test
    void oneClassReadsClocks() {
        assertThat(classesThatUse(ArchitectureTest::readsClock)).containsExactly(SYSTEM_TIME);
    }

    @Test
    void onlyThreadOwnersMakeThreads() {
        assertThat(classesThatUse(ArchitectureTest::makesThread)).isSubsetOf(THREAD_OWNERS);
    }

    @Test
    void nothingSleepsOrRollsUnseededDice() {
        assertThat(classesThatUse(access -> is(access, Thread.class, "sleep") || is(access, Math.class, "random")))
                .isEmpty();
    }

    /** The common pool is shared with the application, and the delays of futures do not follow the engine's time. */
    @Test
    void onlyBlockingCallsUseTheTimerOfFutures() {
        assertThat(classesThatUse(ArchitectureTest::usesCommonPool)).isSubsetOf(REAL_TIME_TIMERS);
    }

    @Test
    void B46_onlyEventsAreLogged() {
        assertThat(classesThatUse(access -> access.getTarget().getOwner().isEquivalentTo(org.slf4j.Logger.class)))
                .containsExactly("dev.tenure.log.LogLine");
    }

    @Test
    void onlyNamedClassesCallUserCode() {
        assertThat(classesThatUse(ArchitectureTest::callsUser)).isSubsetOf(union(USER_CODE_CALLERS, CONFIGURATORS));
        assertThat(classesThatUse(access -> is(access, Runnable.class, "run")))
                .isSubsetOf(union(union(USER_CODE_CALLERS, TASK_RUNNERS), THREAD_OWNERS));
    }

    @Test
    void classesThatCallUserCodeHoldNoLock() throws IOException {
        DescribedPredicate<JavaClass> callers = DescribedPredicate.describe(
                "call user code", type -> union(USER_CODE_CALLERS, TASK_RUNNERS).contains(outermost(type)));
        noClasses()
                .that(callers)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.concurrent.locks..")
                .allowEmptyShould(true)
                .check(core);
        for (JavaClass caller : core.that(callers)) {
            assertThat(caller.getMethods())
                    .as(caller.getName())
                    .noneMatch(method -> method.getModifiers().contains(SYNCHRONIZED));
            // Class files do not show ArchUnit the synchronized blocks.
            assertThat(source(outermost(caller))).as(caller.getName()).doesNotContain("synchronized");
        }
    }

    private static boolean readsClock(JavaAccess<?> access) {
        AccessTarget target = access.getTarget();
        String owner = target.getOwner().getName();
        String name = target.getName();
        return is(access, System.class, "nanoTime")
                || is(access, System.class, "currentTimeMillis")
                || (owner.startsWith("java.time.") && name.equals("now"))
                || (owner.equals("java.time.Clock") && (name.startsWith("system") || name.startsWith("tick")))
                || (owner.equals("java.util.Date") && name.equals("<init>"));
    }

    private static boolean makesThread(JavaAccess<?> access) {
        AccessTarget target = access.getTarget();
        JavaClass owner = target.getOwner();
        boolean constructs = target.getName().equals("<init>") && !THREAD_OWNERS.contains(owner.getName());
        return (constructs && owner.isAssignableTo(Thread.class))
                || (constructs && owner.isAssignableTo("java.util.concurrent.ThreadPoolExecutor"))
                || (constructs && owner.isAssignableTo("java.util.concurrent.ForkJoinPool"))
                || (constructs && owner.isAssignableTo("java.util.Timer"))
                || (owner.isEquivalentTo(Executors.class) && target.getName().startsWith("new"));
    }

    private static boolean usesCommonPool(JavaAccess<?> access) {
        AccessTarget target = access.getTarget();
        String name = target.getName();
        if (target.getOwner().getName().equals("java.util.concurrent.ForkJoinPool")) {
            return name.equals("commonPool");
        }
        if (!target.getOwner().isAssignableTo(CompletableFuture.class)
                && !target.getOwner().getName().equals("java.util.concurrent.CompletionStage")) {
            return false;
        }
        return name.equals("orTimeout")
                || name.equals("completeOnTimeout")
                || name.equals("delayedExecutor")
                || (name.endsWith("Async")
                        && target instanceof AccessTarget.CodeUnitAccessTarget called
                        && called.getRawParameterTypes().stream()
                                .noneMatch(type -> type.isEquivalentTo(Executor.class)));
    }

    private static boolean callsUser(JavaAccess<?> access) {
        String name = access.getTarget().getName();
        return !name.equals("andThen")
                && !name.equals("<init>")
                && USER_INTERFACES.contains(access.getTarget().getOwner().getName());
    }

    private static boolean is(JavaAccess<?> access, Class<?> owner, String name) {
        return access.getTarget().getOwner().isEquivalentTo(owner)
                && access.getTarget().getName().equals(name);
    }

    /** Calls, constructor calls and method references count, in lambdas and nested classes too. */
    private static Set<String> classesThatUse(Predicate<JavaAccess<?>> use) {
        Set<String> found = new TreeSet<>();
        for (JavaClass type : core) {
            if (type.getAccessesFromSelf().stream().anyMatch(use)) {
                found.add(outermost(type));
            }
        }
        return found;
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type.getName());
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }

    private static String source(String type) throws IOException {
        Path module = Path.of(System.getProperty("basedir", "."));
        return Files.readString(module.resolve("src/main/java").resolve(type.replace('.', '/') + ".java"));
    }
}
