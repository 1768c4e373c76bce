package dev.tenure.cli;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Asks before something is done that cannot be undone.
 */
final class Confirmation {
    @Option(names = "--yes", description = "Does not ask. Needed where there is no terminal to ask on.")
    boolean yes;

    /**
     * Whether to go on.
     *
     * @throws CommandFailure if nobody can be asked
     */
    boolean given(String question) {
        if (yes) {
            return true;
        }
        Console terminal = terminal();
        if (terminal == null) {
            throw CommandFailure.usage("--yes must be given where there is no terminal to ask on");
        }
        String answer = terminal.readLine("%s [y/N] ", question);
        return answer != null
                && (answer.strip().toLowerCase(Locale.ROOT).equals("y")
                        || answer.strip().toLowerCase(Locale.ROOT).equals("yes"));
    }

    /**
     * From JDK 22 on there may be a console that is no terminal, and a method that tells.
     */
    @SuppressWarnings("SystemConsoleNull") // that is what is looked at here
    private static @Nullable Console terminal() {
        Console console = System.console();
        if (console == null) {
            return null;
        }
        try {
            Object is = Console.class.getMethod("isTerminal").invoke(console);
            return Boolean.TRUE.equals(is) ? console : null;
        } catch (NoSuchMethodException before22) {
            return console;
        } catch (IllegalAccessException | InvocationTargetException unexpected) {
            return null;
        }
    }
}
