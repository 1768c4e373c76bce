package dev.tenure.cli;

import dev.tenure.ElectionOptions;
import dev.tenure.InvalidOptionsException;
import dev.tenure.LeaderElector;
import dev.tenure.Tenure;
import dev.tenure.spi.LeaseStore;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Runs a command while this process leads.
 */
@Command(
        name = "run",
        header = {"Runs a command while this process leads.", ""},
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        showEndOfOptionsDelimiterInUsageHelp = true,
        description = {
            "Waits for leadership and runs a command while it lasts.",
            "",
            "The command gets TENURE_ROLE, TENURE_FENCING_TOKEN (a number that grows with every term), TENURE_TERM and"
                    + " TENURE_NAME. It reads /dev/null, writes where tenure writes, and has a session and process group"
                    + " of its own. When it ends, what it left in its group is ended too, the lease is released, and its"
                    + " exit code is tenure's.",
            "",
            "Leadership lost: the group gets SIGTERM at once and SIGKILL after the grace; then tenure stands again. SIGTERM"
                    + " or SIGINT to tenure: the same, while the lease is still renewed, then it is released. If tenure"
                    + " is killed, a supervisor ends the group: SIGKILL follows after the grace or half a lease, whichever"
                    + " is shorter.",
            "",
            "What leaves the process group (setsid, a daemon) is not ended; nor is anything, once both tenure and the"
                    + " supervisor have been killed.",
            "",
            "A frozen tenure (SIGSTOP, a suspended machine) does not stop its command, and another may lead meanwhile."
                    + " Whatever the command writes to must compare the token: then a late write is refused.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "*:the command's own, 128 + signal if a signal ended it",
            "2:an option is wrong",
            "75:not led: --wait passed, or with --once leadership was lost",
            "126, 127:the command cannot be started, is not found",
            "129, 130, 143:tenure got SIGHUP, SIGINT, SIGTERM, whatever the command's own was"
        },
        footer = {
            "",
            "Examples:",
            "  tenure run --role nightly -- ./nightly.sh",
            "  tenure run --role billing --store jdbc:postgresql://db/app --name web-1 -- billing-worker",
            "  tenure run --role report --once --wait 10s -- sh -c 'report --token \"$TENURE_FENCING_TOKEN\"'"
        })
final class RunCommand implements Callable<Integer> {
    private static final Duration BEYOND_GRACE = Duration.ofSeconds(2);
    private static final int NOT_FOUND = 127;

    @Option(names = "--role", required = true, paramLabel = "R", description = "What has one leader, as billing/close.")
    String role = "";

    @Mixin
    StoreOptions store = new StoreOptions();

    @Option(
            names = "--name",
            paramLabel = "N",
            description = "What others see as leader. Default: host name and process id.")
    @Nullable
    String name;

    @Mixin
    ElectionTiming timing = new ElectionTiming();

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Durations.Positive.class,
            description = "Between SIGTERM and SIGKILL. Default: ${DEFAULT-VALUE}.")
    Duration grace = Duration.ofSeconds(10);

    @Option(names = "--once", description = "Does not stand again after a loss: exit code 75.")
    boolean once;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            converter = Durations.Positive.class,
            description = "How long to wait for leadership, each time: then exit code 75. Default: for ever.")
    @Nullable
    Duration wait;

    @Option(
            names = "--events",
            paramLabel = "FILE",
            description = "Appends what happens as JSON lines: t, mono_ns, role, event, token, term, name, reason.")
    @Nullable
    Path events;

    @Parameters(paramLabel = "CMD", arity = "1..*", description = "The command and its arguments.")
    List<String> command = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (SessionLauncher.find(command.get(0), System.getenv()).isEmpty()) {
            throw CommandFailure.withCode(
                    NOT_FOUND, "CMD must be an executable file or on the PATH: CMD=" + Text.oneLine(command.get(0)));
        }
        SessionLauncher.prefix(System.getenv()); // told before anybody leads
        TermEvents terms = new TermEvents(this::say);
        try (OutputStream out = eventStream();
                Tenure tenure = open(store.open(), terms)) {
            String candidate = tenure.describe().instance();
            terms.to(new EventLog(out, role, candidate, this::say));
            return lead(tenure, terms, candidate);
        } catch (IOException ignored) {
            throw new UncheckedIOException(ignored); // nothing is buffered
        }
    }

    private Tenure open(LeaseStore leases, TermEvents terms) throws InterruptedException {
        try {
            ElectionOptions.Builder options = ElectionOptions.builder();
            apply(options);
            InvalidOptionsException.throwIfAny(options.validate(role, leases.traits()));
            Tenure.Builder builder =
                    Tenure.builder(leases).defaults(this::apply).monitor(terms);
            if (name != null) {
                builder.instance(name);
            }
            StoreAnswers.warmUp(leases, role);
            return builder.build();
        } catch (RuntimeException | InterruptedException wrong) {
            leases.close();
            throw wrong;
        }
    }

    private void apply(ElectionOptions.Builder options) {
        timing.applyTo(options);
        options.drainTimeout(grace.plus(BEYOND_GRACE)).interruptAfter(Duration.ZERO);
    }

    private OutputStream eventStream() {
        return events == null ? OutputStream.nullOutputStream() : EventLog.append(events);
    }

    private int lead(Tenure tenure, TermEvents terms, String candidate) throws InterruptedException {
        Duration halfLease = timing.lease.dividedBy(2);
        Duration graceAtEof = grace.compareTo(halfLease) < 0 ? grace : halfLease;
        LeaderCommand work = new LeaderCommand(
                new LeaderCommand.Plan(command, candidate, grace, graceAtEof, once),
                terms,
                new Patience(Optional.ofNullable(wait)),
                this::say);
        LeaderElector elector = tenure.elector(role, work);
        elector.onChange(terms::elected, terms::lost);
        Thread atSignal = new Thread(tenure::close, "tenure-stop"); // after it, the JVM ends with 128 + the signal
        Runtime.getRuntime().addShutdownHook(atSignal);
        elector.start();
        return work.await();
    }

    private void say(String line) {
        Consumer<String> err = spec.commandLine().getErr()::println;
        err.accept("tenure: " + Text.oneLine(line));
    }
}
