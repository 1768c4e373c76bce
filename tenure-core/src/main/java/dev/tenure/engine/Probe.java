package dev.tenure.engine;

import dev.tenure.ElectionDescription;
import dev.tenure.ElectionOptions;
import dev.tenure.ElectorHealth;
import dev.tenure.Leader;
import dev.tenure.LeaderWatch;
import dev.tenure.TenureDescription;
import dev.tenure.spi.StoreTraits;
import dev.tenure.spi.StoreTraits.ExpiryClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What elections and Tenures are made of. Reads what is there; asks nobody.
 */
final class Probe {
    private Probe() {}

    static TenureDescription describe(Registry registry, ElectionOptions defaults) {
        Hub hub = registry.hub();
        StoreTraits traits = hub.store().traits();
        List<ElectionDescription> electors =
                registry.allElectors().stream().map(EngineElector::describe).toList();
        List<ElectionDescription> acquisitions =
                registry.acquisitions().stream().map(Acquisition::describe).toList();
        List<EngineWatch> watches = List.copyOf(registry.watches());
        List<String> lines = new ArrayList<>();
        lines.add("instance " + hub.instance() + (registry.isClosed() ? ", closed," : "") + " on " + traits.name());
        lines.addAll(ofStore(traits));
        electors.forEach(election -> lines.add("elector of " + inShort(election)));
        acquisitions.forEach(election -> lines.add("acquisition of " + inShort(election)));
        watches.forEach(watch -> lines.add("watch of " + watch.role() + ": "
                + watch.leader().map(Leader::name).map(name -> name + " leads").orElse("nobody is known to lead")));
        return new TenureDescription(
                hub.instance(),
                traits.name(),
                traits,
                defaults,
                electors,
                acquisitions,
                watches.stream().map(LeaderWatch::role).toList(),
                lines);
    }

    private static String inShort(ElectionDescription election) {
        ElectorHealth health = election.health();
        return election.role() + ": " + health.status() + " since " + health.since() + ": " + health.detail();
    }

    static ElectionDescription describe(Hub hub, Participant of, ElectionOptions options) {
        StoreTraits traits = hub.store().traits();
        ElectorHealth health = Diagnosis.health(hub, of);
        Optional<TermHandle> held = of.held();
        Duration worst = traits.worstCaseTakeover(options);
        List<String> lines = new ArrayList<>();
        lines.add("key " + of.key() + " for role " + of.role() + ", by " + decides(options, traits));
        lines.addAll(ofStore(traits));
        lines.add(
                of.timing().coordinated()
                        ? "at most one instance leads while clocks and store behave; the fencing token covers the rest"
                        : "leading says nothing about other instances (whenUncoordinated " + options.whenUncoordinated()
                                + ")");
        lines.add(health.status() + " since " + health.since() + ": " + health.detail());
        next(hub, of).ifPresent(lines::add);
        lines.addAll(options.explain());
        lines.add(takeover(of.timing(), traits, worst));
        return new ElectionDescription(
                of.role(),
                of.key(),
                health,
                traits.name(),
                traits,
                of.timing().coordinated(),
                of.election().terms(),
                held.flatMap(TermHandle::token),
                held.map(TermHandle::remaining).orElse(Duration.ZERO),
                options,
                worst,
                lines);
    }

    private static String takeover(Timing timing, StoreTraits traits, Duration worst) {
        if (timing.coordinated()) {
            return "after a crash another leads within " + Spans.text(worst) + " (lease, callTimeout"
                    + (traits.pushesWakeUps() ? "" : ", retryInterval, retryJitter") + ", store)";
        }
        return timing.leadUncoordinated()
                ? "after a crash the others lead on: nothing is taken over (whenUncoordinated LEAD)"
                : "after a crash nobody leads either (whenUncoordinated FOLLOW)";
    }

    private static String decides(ElectionOptions options, StoreTraits traits) {
        if (options.key().isPresent()) {
            return "key";
        }
        return options.keyFormat()
                .map(format -> "keyFormat " + format)
                .orElse("the store's format " + traits.defaultKeyFormat() + " (keyFormat, not set)");
    }

    private static List<String> ofStore(StoreTraits traits) {
        String clock = traits.expiryClock() == ExpiryClock.WALL ? "a wall clock" : "a clock that nobody moves";
        String release = traits.pushesWakeUps() ? "wakes" : "does not wake";
        return List.of(
                "store " + traits.name() + " coordinates: " + traits.scope() + "; takes leases from "
                        + Spans.text(traits.shortestLease()) + " to " + Spans.text(traits.longestLease())
                        + " and keys of up to " + traits.longestKey() + " characters",
                "its records expire by " + clock + "; it " + release + " candidates on a release",
                "tokens: " + traits.tokenSource());
    }

    /**
     * What happens next if nothing else does.
     */
    private static Optional<String> next(Hub hub, Participant of) {
        long now = hub.time().now();
        Phase phase = of.election().phase();
        if (phase instanceof Waiting waiting && waiting.askAt() != Time.NEVER) {
            return Optional.of("asks again in " + Spans.text(waiting.askAt() - now)
                    + " (retryInterval, retryJitter, workBackoff, or as the store said)");
        }
        if (phase instanceof Asking asking) {
            return Optional.of("has asked, and waits for " + Spans.text(asking.limitAt() - now) + " (callTimeout)");
        }
        if (phase instanceof Leading leading && leading.deadline() != Time.NEVER) {
            return Optional.of("its deadline is in " + Spans.text(leading.deadline() - now) + " (lease, safetyMargin)");
        }
        if (phase instanceof Draining draining) {
            String interrupt = draining.interruptAt() == Time.NEVER
                    ? "work is interrupted"
                    : "work is interrupted in " + Spans.text(draining.interruptAt() - now);
            return Optional.of(interrupt + " (interruptAfter), and left behind in "
                    + Spans.text(draining.endsAt() - now) + " (drainTimeout)");
        }
        return Optional.empty();
    }
}
