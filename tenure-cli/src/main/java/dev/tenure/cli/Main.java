package dev.tenure.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/**
 * Entry point of the {@code tenure} command.
 */
public final class Main {
    private static volatile boolean verbose;

    private Main() {}

    public static void main(String[] args) {
        Secrets secrets = secrets(args);
        System.setOut(hiding(FileDescriptor.out, secrets));
        System.setErr(hiding(FileDescriptor.err, secrets));
        CommandLine command = commandLine();
        command.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        command.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            System.err.println("tenure: " + thread.getName() + ": " + Failures.message(failure));
            if (verbose) {
                failure.printStackTrace();
            }
        });
        System.exit(command.execute(args));
    }

    private static Secrets secrets(String[] args) {
        List<String> texts = new ArrayList<>(Arrays.asList(args));
        String store = System.getenv(StoreOptions.VARIABLE);
        if (store != null) {
            texts.add(store);
        }
        return Secrets.of(texts);
    }

    private static PrintStream hiding(FileDescriptor descriptor, Secrets secrets) {
        OutputStream out = new HidingOutput(new FileOutputStream(descriptor), secrets);
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    /**
     * The whole command, writing to standard output and error.
     */
    static CommandLine commandLine() {
        CommandLine root = new CommandLine(new TenureCommand());
        CommandLine completion = new CommandLine(new GenerateCompletion());
        completion.setCommandName("completion");
        root.addSubcommand("completion", completion);
        completion
                .getCommandSpec()
                .usageMessage()
                .description("Prints a completion script for bash and zsh.")
                .footer(
                        "",
                        "Examples:",
                        "  source <(tenure completion)",
                        "  tenure completion > /etc/bash_completion.d/tenure");
        Failures failures = new Failures();
        root.setParameterExceptionHandler(failures);
        root.setExecutionExceptionHandler(failures);
        root.setExecutionStrategy(parsed -> {
            verbose = isVerbose(parsed);
            Logging.configure(verbose);
            return new CommandLine.RunLast().execute(parsed);
        });
        root.setUsageHelpWidth(100);
        root.setCaseInsensitiveEnumValuesAllowed(true);
        Objects.requireNonNull(root.getSubcommands().get("run")).setStopAtPositional(true);
        return root;
    }

    static boolean isVerbose(ParseResult parsed) {
        ParseResult top = parsed;
        while (top.hasSubcommand()) {
            top = top.subcommand();
        }
        return top.commandSpec().root().userObject() instanceof TenureCommand root && root.verbose;
    }
}
