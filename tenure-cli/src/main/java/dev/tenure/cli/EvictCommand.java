package dev.tenure.cli;

import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.StoreTraits;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Takes a role away from its holder.
 */
@Command(
        name = "evict",
        header = {"Takes a role away from its holder.", ""},
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        description = {
            "Takes a role away from its holder: the holder stands down at its next renewal, and nobody enters before the"
                    + " record's end. Asks first.",
            ""
        },
        footer = {
            "",
            "With --force the record is freed at once. The holder believes in its lease until its next renewal: two"
                    + " leaders are possible until then.",
            "",
            "Examples:",
            "  tenure evict nightly",
            "  tenure evict nightly --yes",
            "  tenure evict nightly --force"
        })
final class EvictCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ROLE", description = "What is taken away.")
    String role = "";

    @Mixin
    StoreOptions store = new StoreOptions();

    @Option(names = "--force", description = "Frees the record at once: two leaders are possible.")
    boolean force;

    @Mixin
    Confirmation confirmation = new Confirmation();

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (LeaseStore leases = store.openExisting()) {
            RecordView view = StatusCommand.read(leases, role);
            PrintWriter out = spec.commandLine().getOut();
            if (view.record().isEmpty()) {
                out.println("nobody holds " + role + ": nothing to do");
                return 0;
            }
            out.println(view.line() + ", its record ends " + end(leases.traits(), view));
            if (force) {
                out.println("--force frees it now; " + view.holder()
                        + " believes in its lease until its next renewal: two leaders are possible until then");
            }
            out.flush();
            if (!confirmation.given(force ? "Free it now?" : "Take it away?")) {
                out.println("nothing was changed");
                return CommandFailure.FAILED;
            }
            evict(leases, view, out);
        }
        return 0;
    }

    private void evict(LeaseStore leases, RecordView view, PrintWriter out) throws InterruptedException {
        boolean done = StoreAnswers.await(force ? leases.forceRelease(view.key()) : leases.revoke(view.key()));
        if (!done) {
            out.println("nobody holds " + role + " any more: nothing was changed");
        } else if (force) {
            out.println("freed: anybody may lead " + role + " now");
        } else {
            out.println("revoked: " + view.holder() + " stands down at its next renewal, " + role + " is free "
                    + end(leases.traits(), StatusCommand.read(leases, role)));
        }
    }

    /**
     * When others may enter, if it is not renewed.
     */
    private static String end(StoreTraits traits, RecordView view) {
        Duration left = view.expiresIn().orElse(Duration.ZERO);
        Duration late = traits.expiryLag(left).plus(traits.lockDelay());
        return late.isZero() ? "in " + Text.rough(left) : "within " + Text.rough(left.plus(late));
    }
}
