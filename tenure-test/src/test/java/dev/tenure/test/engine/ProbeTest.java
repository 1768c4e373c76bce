package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectionDescription;
import dev.tenure.ElectionOptions;
import dev.tenure.ElectionOptions.WhenUncoordinated;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.LeaderElector;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import dev.tenure.TenureDescription;
import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/**
 * What descriptions say, and that they cost nothing.
 */
class ProbeTest extends EngineTest {
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    /**
     * Passes every call on and remembers which.
     */
    private static LeaseStore recording(LeaseStore store, Set<String> calls) {
        return (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private static Set<Thread> threadsOfTenure() {
        Set<Thread> all = new HashSet<>(Thread.getAllStackTraces().keySet());
        all.removeIf(thread -> !thread.getName().startsWith("tenure"));
        return all;
    }

    @Test
    void R075_describingExecutesNothing() throws InterruptedException {
        Set<String> calls = ConcurrentHashMap.newKeySet();
        try (Tenure tenure = Tenure.on(recording(new MemoryLeaseStore(), calls))) {
            LeaderElector elector = tenure.elector(ROLE);
            Set<Thread> threads = threadsOfTenure();
            elector.describe();
            elector.health();
            tenure.describe();
            assertThat(calls).isSubsetOf("traits");
            assertThat(threadsOfTenure()).isSubsetOf(threads);
            elector.start();
            try (OwnedLease lease = tenure.tryAcquire("other", A_MINUTE).orElseThrow()) {
                assertThat(elector.awaitLeadership(A_MINUTE)).isPresent();
                assertThat(lease.isHeld()).isTrue();
                ElectionDescription told = elector.describe();
                assertThat(told.health().status()).isEqualTo(Status.LEADING);
                assertThat(tenure.describe().acquisitions()).hasSize(1);
            }
        }
    }

    @Test
    void R075_describingWaitsForNobody() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        int calls = store().calls().size();
        a.stallAfter("Tick", seconds(20)); // the loop stands still in the midst of a step
        world.after(seconds(12), () -> {
            assertThat(elector.describe().lines()).isNotEmpty();
            assertThat(a.tenure().describe().elections()).hasSize(1);
            assertThat(store().calls()).hasSize(calls);
        });
        advanceTo(13);
        assertThat(elector.describe().term()).isPositive();
    }

    // every option

    private static final ElectionOptions ALL_SET = ElectionOptions.builder()
            .lease(seconds(20.25))
            .safetyMargin(seconds(2.125))
            .renewInterval(seconds(3.5))
            .callTimeout(seconds(1.75))
            .retryInterval(seconds(4.375))
            .retryJitter(seconds(0.625))
            .drainTimeout(seconds(9.5))
            .interruptAfter(seconds(7.25))
            .startDelay(seconds(5.875))
            .workBackoff(seconds(6.125), seconds(41.5))
            .healthCheck(() -> true, seconds(33.25))
            .whenUncoordinated(WhenUncoordinated.LEAD)
            .keyFormat("eu:{role}")
            .acceptTokenRegression(true)
            .build();

    private static String text(Object value) {
        return value instanceof Duration span
                ? span.toString().substring(2).toLowerCase(Locale.ROOT)
                : value.toString();
    }

    private static Set<String> words(List<String> lines) {
        return new TreeSet<>(Arrays.asList(String.join(" ", lines).split("[^A-Za-z]+")));
    }

    private static List<Method> publicMethods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .toList();
    }

    @Test
    void B47_everyOptionIsNamedAndSaysWhatItDecides() {
        Set<String> setters = new TreeSet<>();
        for (Method method : publicMethods(ElectionOptions.Builder.class)) {
            if (method.getReturnType() == ElectionOptions.Builder.class) {
                setters.add(method.getName());
            }
        }
        assertThat(setters).hasSizeGreaterThan(14);
        for (ElectionOptions options : List.of(ElectionOptions.defaults(), ALL_SET)) {
            assertThat(words(options.explain())).containsAll(without(setters, options));
        }
        for (LeaderElector elector : List.of(
                process("a").tenure().elector(ROLE),
                process("b", options -> options.key("k")).tenure().elector(ROLE))) {
            ElectionOptions options = elector.describe().options();
            assertThat(words(elector.describe().lines())).containsAll(without(setters, options));
        }
    }

    /**
     * Of key and key format only the one that decides is named, if one is set.
     */
    private static Set<String> without(Set<String> setters, ElectionOptions options) {
        Set<String> named = new TreeSet<>(setters);
        if (options.key().isPresent()) {
            named.remove("keyFormat");
        } else if (options.keyFormat().isPresent()) {
            named.remove("key");
        }
        return named;
    }

    @Test
    void B47_everyValueInEffectIsShown() throws ReflectiveOperationException {
        for (ElectionOptions options : List.of(ElectionOptions.defaults(), ALL_SET)) {
            String lines = String.join("\n", options.explain());
            for (Method getter : publicMethods(ElectionOptions.class)) {
                boolean durations = getter.getReturnType() == Duration.class && getter.getParameterCount() == 0;
                if (durations
                        && !(getter.getName().equals("healthGrace")
                                && options.healthCheck().isEmpty())) {
                    assertThat(lines).as(getter.getName()).contains(text(getter.invoke(options)));
                    assertThat(options.toString()).as(getter.getName()).contains(text(getter.invoke(options)));
                }
            }
        }
        assertThat(ALL_SET.explain())
                .contains("the key of a role is made by eu:{role} (keyFormat)")
                .anyMatch(line -> line.contains("accepted (acceptTokenRegression true)"))
                .anyMatch(line -> line.contains("every instance leads (whenUncoordinated LEAD)"));
        assertThat(String.join(" ", ALL_SET.explain())).doesNotContain("not set");
        assertThat(ElectionOptions.defaults().explain())
                .contains("a renewal is due 5s after the last one (renewInterval, not set: a third of lease, at most"
                        + " half of what the margin leaves)");
    }

    // of elections

    @Test
    void R075_B47_anElectionIsDescribedWithItsStoreAndWhatDecides() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(1);
        ElectionDescription told = elector.describe();
        StoreTraits traits = told.traits();
        assertThat(told.role()).isEqualTo(ROLE);
        assertThat(told.key()).isEqualTo(KEY);
        assertThat(told.store()).isEqualTo("scripted").isEqualTo(traits.name());
        assertThat(told.health().status()).isEqualTo(Status.LEADING);
        assertThat(told.coordinated()).isTrue();
        assertThat(told.term()).isEqualTo(1);
        assertThat(told.fencingToken()).contains(leaseOf(elector).fencingToken());
        assertThat(told.remaining()).isEqualTo(seconds(8));
        assertThat(told.worstCaseTakeover()).isEqualTo(traits.worstCaseTakeover(told.options()));
        assertThat(told.lines())
                .contains(
                        "key leader:billing for role billing, by the store's format leader:{role} (keyFormat, not set)",
                        "a renewal is due 3s after the last one (renewInterval)",
                        "its deadline is in 8s (lease, safetyMargin)",
                        "after a crash another leads within 12.4s (lease, callTimeout, store)",
                        "at most one instance leads while clocks and store behave; the fencing token covers the rest")
                .anyMatch(line -> line.startsWith("store scripted coordinates: CLUSTER"))
                .anyMatch(line -> line.startsWith("tokens: "))
                .anyMatch(line -> line.startsWith("LEADING since 2026-01-01T00:00:00Z: leads with token "));
        assertThat(told.toString())
                .startsWith("billing: LEADING\n  ")
                .contains(told.lines().get(0));
    }

    @Test
    void aCandidateIsDescribedWithItsNextAttempt() {
        leader(process("a"));
        LeaderElector elector = process("b").stand(ROLE);
        advanceTo(1);
        assertThat(elector.describe().lines())
                .anyMatch(line -> line.contains("FOLLOWING since") && line.endsWith(": a leads"))
                .anyMatch(line -> line.startsWith("asks again in 9s "));
        assertThat(elector.describe().remaining()).isEqualTo(Duration.ZERO);
        store().on(dev.tenure.test.virtual.StoreCall.Kind.ACQUIRE).hold();
        LeaderElector asking = process("c").stand(ROLE);
        advanceTo(2);
        assertThat(asking.describe().lines()).contains("has asked, and waits for 1.4s (callTimeout)");
    }

    @Test
    void aDrainIsDescribedWithWhatComesNext() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        LeaderElector elector = leader(process("a"), work);
        advanceTo(1);
        elector.resign();
        advanceTo(3);
        assertThat(elector.describe().lines())
                .anyMatch(line -> line.endsWith(": gave leadership up; work drains"))
                .contains("work is interrupted in 6s (interruptAfter), and left behind in 8s (drainTimeout)");
        advanceTo(9.5);
        assertThat(elector.describe().lines())
                .contains("work is interrupted (interruptAfter), and left behind in 1.5s (drainTimeout)");
        work.finish();
        world.settle();
    }

    @Test
    void exactKeysAndFormatsSayThatTheyDecide() {
        Tenure tenure = process("a").tenure();
        assertThat(tenure.with(o -> o.key("x")).elector(ROLE).describe().lines())
                .contains("key x for role billing, by key", "the key is x (key), whatever the format");
        assertThat(tenure.with(o -> o.keyFormat("y:{role}"))
                        .elector(ROLE)
                        .describe()
                        .lines())
                .contains("key y:billing for role billing, by keyFormat y:{role}");
    }

    @Test
    void theTakeOverOfAStoreThatDoesNotWakeHangsOnMoreOptions() {
        pollingStore();
        assertThat(process("a").tenure().elector(ROLE).describe().lines())
                .contains("after a crash another leads within 13.4s (lease, callTimeout, retryInterval, retryJitter,"
                        + " store)")
                .anyMatch(line -> line.endsWith("it does not wake candidates on a release"));
    }

    // of a Tenure

    @Test
    void R075_aTenureIsDescribedWithAllThatTakesPart() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        VirtualCall<OwnedLease> held = a.call(() -> a.tenure().acquire("report"));
        a.tenure().watch("other");
        a.tenure().elector("never-started");
        world.settle();
        VirtualTenure b = process("b");
        VirtualCall<Optional<OwnedLease>> waiting = b.call(() -> b.tenure().tryAcquire("report", seconds(5)));
        b.tenure().watch(ROLE);
        advanceTo(1);
        TenureDescription told = a.tenure().describe();
        assertThat(told.instance()).isEqualTo("a");
        assertThat(told.store()).isEqualTo("scripted");
        assertThat(told.options().lease()).isEqualTo(seconds(10));
        assertThat(told.elections()).extracting(ElectionDescription::role).containsExactly(ROLE);
        assertThat(told.elections().get(0).term()).isEqualTo(elector.term());
        assertThat(told.acquisitions()).extracting(ElectionDescription::role).containsExactly("report");
        assertThat(told.acquisitions().get(0).fencingToken())
                .contains(held.result().fencingToken());
        assertThat(told.watches()).containsExactly("other");
        assertThat(told.lines().get(0)).isEqualTo("instance a on scripted");
        assertThat(told.lines())
                .anyMatch(line -> line.startsWith("elector of billing: LEADING since "))
                .anyMatch(line -> line.startsWith("acquisition of report: LEADING since "))
                .contains("watch of other: nobody is known to lead");
        assertThat(told).hasToString(String.join("\n", told.lines()));
        assertThat(b.tenure().describe().lines())
                .contains("watch of billing: a leads")
                .anyMatch(line -> line.startsWith("acquisition of report: FOLLOWING") && line.endsWith("a leads"));
        advanceTo(6);
        assertThat(waiting.result()).isEmpty();
        assertThat(b.tenure().describe().acquisitions()).isEmpty();
        held.result().release();
        a.close();
        TenureDescription closed = a.tenure().describe();
        assertThat(closed.lines().get(0)).isEqualTo("instance a, closed, on scripted");
        assertThat(List.of(closed.elections(), closed.acquisitions(), closed.watches()))
                .allMatch(List::isEmpty);
    }

    @Test
    void descriptionsAreTakenWhileElectionsComeAndGo() {
        VirtualTenure a = process("a");
        List<Status> seen = new ArrayList<>();
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(
                lease -> seen.add(elector.describe().health().status()),
                (lease, reason) -> seen.add(elector.describe().health().status()));
        elector.start();
        advanceTo(1);
        elector.stop();
        world.settle();
        assertThat(seen).containsExactly(Status.LEADING, Status.FOLLOWING);
        assertThat(elector.describe().health().status()).isEqualTo(Status.STOPPED);
    }
}
