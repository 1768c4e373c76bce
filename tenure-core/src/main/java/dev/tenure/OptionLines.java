package dev.tenure;

import static dev.tenure.OptionRules.text;

import dev.tenure.ElectionOptions.WhenUncoordinated;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options for people.
 */
final class OptionLines {
    private OptionLines() {}

    static List<String> of(ElectionOptions o, OptionValues set) {
        return List.of(
                "a grant lasts " + text(o.lease()) + " unless it is renewed (lease)",
                "this side gives up " + text(o.safetyMargin()) + " earlier"
                        + by("safetyMargin", set.safetyMargin, "a tenth of lease"),
                "a renewal is due " + text(o.renewInterval()) + " after the last one"
                        + by(
                                "renewInterval",
                                set.renewInterval,
                                "a third of lease, at most half of what the margin leaves"),
                "a store call is waited for " + text(o.callTimeout())
                        + by(
                                "callTimeout",
                                set.callTimeout,
                                "4/5 of renewInterval, at most half of what is left by then"),
                "a candidate that nothing wakes asks every " + text(o.retryInterval())
                        + by("retryInterval", set.retryInterval, "2/15 of lease, at most 2s"),
                "up to " + text(o.retryJitter()) + " is added to that at random"
                        + by("retryJitter", set.retryJitter, "half of retryInterval"),
                "a voluntary end waits " + text(o.drainTimeout()) + " for listeners and work (drainTimeout)",
                "it interrupts work after " + text(o.interruptAfter())
                        + by("interruptAfter", set.interruptAfter, "4/5 of drainTimeout"),
                "leader work starts " + text(o.startDelay()) + " after the election (startDelay)",
                "after leader work failed this instance stays away for " + text(o.firstWorkBackoff())
                        + ", doubled by every failure up to " + text(o.longestWorkBackoff())
                        + " (workBackoff), but no shorter than after any other end that it chose: "
                        + text(o.retryInterval())
                        + " (retryInterval; and retryJitter and callTimeout where the store wakes nobody)",
                o.healthCheck().isPresent()
                        ? "leader work that is not healthy for " + text(o.healthGrace())
                                + " ends its term (healthCheck, healthGrace)"
                        : "a leader whose work hangs leads on (healthCheck, not set: nobody asks)",
                "on a store that does not coordinate "
                        + (o.whenUncoordinated() == WhenUncoordinated.LEAD ? "every instance leads" : "nobody leads")
                        + " (whenUncoordinated " + o.whenUncoordinated() + ")",
                set.key != null
                        ? "the key is " + set.key + " (key), whatever the format"
                        : set.keyFormat != null
                                ? "the key of a role is made by " + set.keyFormat + " (keyFormat)"
                                : "the key of a role is made by the store's format (key, keyFormat, not set)",
                "a token that is not above the highest seen is " + (o.acceptTokenRegression() ? "accepted" : "refused")
                        + " (acceptTokenRegression " + o.acceptTokenRegression() + ")");
    }

    private static String by(String option, @Nullable Object value, String otherwise) {
        return value != null ? " (" + option + ")" : " (" + option + ", not set: " + otherwise + ")";
    }

    static String values(ElectionOptions o) {
        return "lease=" + text(o.lease())
                + " safetyMargin=" + text(o.safetyMargin())
                + " renewInterval=" + text(o.renewInterval())
                + " callTimeout=" + text(o.callTimeout())
                + " retryInterval=" + text(o.retryInterval())
                + " retryJitter=" + text(o.retryJitter())
                + " drainTimeout=" + text(o.drainTimeout())
                + " interruptAfter=" + text(o.interruptAfter())
                + " startDelay=" + text(o.startDelay())
                + " workBackoff=" + text(o.firstWorkBackoff()) + ".." + text(o.longestWorkBackoff())
                + (o.healthCheck().isPresent() ? " healthGrace=" + text(o.healthGrace()) : "")
                + " whenUncoordinated=" + o.whenUncoordinated()
                + o.keyFormat().map(format -> " keyFormat=" + format).orElse("")
                + o.key().map(key -> " key=" + key).orElse("")
                + " acceptTokenRegression=" + o.acceptTokenRegression();
    }
}
