package dev.tenure.cli;

import dev.tenure.InvalidOptionsException;
import dev.tenure.InvalidOptionsException.Violation;
import dev.tenure.StoreException;
import dev.tenure.spi.Tokens;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Every failure is one line on standard error and an exit code; its stack trace shows with {@code --verbose} only.
 */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
    /**
     * How the library's options are called here.
     */
    private static final Map<String, String> OPTIONS = Map.of(
            "lease", "--lease",
            "renewInterval", "--renew",
            "retryInterval", "--retry",
            "safetyMargin", "--margin",
            "drainTimeout", "--grace + 2s",
            "instance", "--name",
            "role", "--role",
            "key", "role's key");

    private static final Pattern LIBRARY_NAME =
            Pattern.compile("\\b(?:renewInterval|retryInterval|safetyMargin|drainTimeout|lease)\\b");

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        String help = command.getCommandSpec().qualifiedName() + " --help";
        print(command, shown(wrong) + " (see " + help + ")");
        return CommandFailure.USAGE;
    }

    /**
     * What a converter refused, as everything else that is refused: option, bound, value.
     */
    private static String shown(ParameterException wrong) {
        String message = Text.reason(wrong);
        if (message.contains(" is not a long") && wrong.getArgSpec() != null) {
            String label = wrong.getArgSpec().paramLabel();
            return label + " must be a whole number from 1 to " + (Tokens.LARGEST - 1) + ": " + label + "="
                    + Text.oneLine(wrong.getValue());
        }
        int bound = message.indexOf(": must be ");
        if (bound < 0 || !(wrong.getArgSpec() instanceof OptionSpec option)) {
            return message;
        }
        String name = option.longestName();
        return name + message.substring(bound + 1) + ": " + name + "=" + Text.oneLine(wrong.getValue());
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        Throwable cause = unwrapped(failure);
        boolean option = command.getCommandSpec().findOption("--role") != null;
        print(command, option ? message(cause) : message(cause).replaceAll("--role\\b", "ROLE"));
        if (Main.isVerbose(parsed)) {
            failure.printStackTrace(command.getErr());
            command.getErr().flush();
        }
        return exitCode(cause);
    }

    /**
     * What a stage or a future wrapped.
     */
    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wraps = failure instanceof ExecutionException || failure instanceof CompletionException;
        return wraps && cause != null ? unwrapped(cause) : failure;
    }

    static String message(Throwable failure) {
        if (failure instanceof InvalidOptionsException invalid) {
            return invalid.violations().stream().map(Failures::shown).collect(Collectors.joining("; "));
        }
        if (failure instanceof CommandFailure) {
            return Text.reason(failure);
        }
        if (failure instanceof StoreException) {
            return "store: " + Text.reason(failure);
        }
        return "unexpected " + failure.getClass().getSimpleName() + ": " + Text.reason(failure)
                + " (--verbose shows where)";
    }

    private static String shown(Violation violation) {
        String option = OPTIONS.getOrDefault(violation.option(), violation.option());
        return Text.oneLine(
                option + " must be " + ownNames(violation.bound()) + ": " + option + "=" + violation.value());
    }

    private static String ownNames(String bound) {
        return LIBRARY_NAME.matcher(bound).replaceAll(name -> OPTIONS.getOrDefault(name.group(), name.group()));
    }

    private static int exitCode(Throwable failure) {
        if (failure instanceof CommandFailure known) {
            return known.exitCode();
        }
        return failure instanceof InvalidOptionsException ? CommandFailure.USAGE : CommandFailure.FAILED;
    }

    private static void print(CommandLine command, String line) {
        PrintWriter err = command.getErr();
        err.println("tenure: " + line);
        err.flush();
    }
}
