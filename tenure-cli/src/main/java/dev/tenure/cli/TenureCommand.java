package dev.tenure.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command without a subcommand.
 */
@Command(
        name = "tenure",
        description = {
            "Elects one leader among processes, on a store that you already run.",
            "",
            "What it does not promise: that two processes never run at the same time. A frozen process cannot notice that"
                    + " its lease ran out. Each term has a fencing token above all earlier ones; what you write to must"
                    + " compare it.",
            ""
        },
        versionProvider = BuildVersion.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        footer = {
            "",
            "The store is a URL: --store, else TENURE_STORE, else an SQLite file in your state folder.",
            "  jdbc:sqlite:/var/lib/app/tenure.db      processes of one host",
            "  jdbc:postgresql://db/app?user=app       processes of many hosts",
            "  redis://db:6379                         processes of many hosts; Sentinel and Cluster too",
            "  consul://127.0.0.1:8500                 processes of many hosts; consul+https:// for TLS",
            "  memory:                                 this process only",
            "",
            "Examples:",
            "  tenure run --role nightly -- ./nightly.sh",
            "  tenure status",
            "  tenure demo --quick",
            "",
            "'tenure COMMAND --help' tells more."
        },
        subcommands = {
            RunCommand.class,
            StatusCommand.class,
            WatchCommand.class,
            EvictCommand.class,
            FenceCommand.class,
            DoctorCommand.class,
            DemoCommand.class,
            DemoNodeCommand.class,
            HelpCommand.class
        })
final class TenureCommand implements Runnable {
    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Shows on standard error what the library logs, and the stack traces of failures.")
    boolean verbose;

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "which command? one of run, status, watch, evict, fence, doctor, demo");
    }
}
