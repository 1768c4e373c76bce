package dev.tenure.cli;

import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.Tokens;
import java.io.PrintWriter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Repairs fencing tokens.
 */
@Command(
        name = "fence",
        header = {"Repairs fencing tokens.", ""},
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        description = {"Repairs fencing tokens, after a restore or a change of store.", ""},
        footer = {"", "Examples:", "  tenure fence accept nightly 1735689600000000"})
final class FenceCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "fence what? accept ROLE [TOKEN]");
    }

    /**
     * Says which token was the highest.
     */
    @Command(
            name = "accept",
            header = {"Says which token of a role was the highest.", ""},
            mixinStandardHelpOptions = true,
            versionProvider = BuildVersion.class,
            sortOptions = false,
            description = {
                "Says which token of a role was the highest so far, after the store was restored or exchanged, or when it"
                        + " calls its token implausible. The next grant is above it, and candidates that saw higher ones"
                        + " forget them. Asks first.",
                ""
            },
            footer = {
                "",
                "TOKEN is the highest that anything guarded has accepted, or more. Too low, and a stale leader of before"
                        + " is let in again where the guard was reset too. A guard that has accepted more refuses the new"
                        + " leader until it is reset as well (JdbcFence.reset).",
                "",
                "On Consul tokens are indexes that nobody can raise. After a restore leave TOKEN out: they go on from what"
                        + " Consul grants now. Candidates heed it within 30 s.",
                "",
                "Examples:",
                "  tenure fence accept nightly 1735689600000000",
                "  tenure fence accept nightly 1735689600000000 --yes --store jdbc:postgresql://db/app"
            })
    int accept(
            @Parameters(paramLabel = "ROLE", description = "Whose tokens.") String role,
            @Parameters(
                            paramLabel = "TOKEN",
                            arity = "0..1",
                            description = "The highest so far, a positive number. May be missing on Consul only.")
                    @Nullable
                    Long given,
            @Mixin StoreOptions store,
            @Mixin Confirmation confirmation)
            throws InterruptedException {
        if (given != null && (given <= 0 || given >= Tokens.LARGEST)) {
            throw CommandFailure.usage("TOKEN must be 1 to " + (Tokens.LARGEST - 1) + ": TOKEN=" + given);
        }
        long token = given == null ? 0 : given;
        refuseImplausible(token);
        PrintWriter out = spec.commandLine().getOut();
        try (LeaseStore leases = store.openExisting()) {
            if (given == null && !leases.traits().tokensAreIndexes()) {
                throw CommandFailure.usage("TOKEN must be given, for the tokens of this store are not its indexes");
            }
            RecordView view = StatusCommand.read(leases, role);
            out.println(view.line());
            out.flush();
            String above = given == null ? "from what the store grants now" : "above " + token;
            if (!confirmation.given("Let the tokens of " + role + " go on " + above + "?")) {
                out.println("nothing was changed");
                return CommandFailure.FAILED;
            }
            StoreAnswers.await(leases.acceptToken(view.key(), token));
            out.println(
                    given == null
                            ? "accepted: the tokens of " + role + " go on " + above
                            : "accepted: the next token of " + role + " is above " + token);
        }
        return 0;
    }

    /**
     * What the stores that compute tokens would refuse ever after, by this machine's clock.
     */
    private static void refuseImplausible(long token) {
        Instant now = Instant.now();
        if (Tokens.isImplausible(token, Tokens.micros(now))) {
            throw CommandFailure.usage("TOKEN must be at most " + Tokens.micros(now.plus(Tokens.LARGEST_LEAD))
                    + ", a day above the time in µs: TOKEN=" + token);
        }
    }
}
