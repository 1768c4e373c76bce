package dev.tenure.cli;

/**
 * Ends the command with one line on standard error and an exit code.
 */
final class CommandFailure extends RuntimeException {
    /**
     * Something that the command was asked for did not work.
     */
    static final int FAILED = 1;

    /**
     * The command was asked for something wrong.
     */
    static final int USAGE = 2;

    /**
     * Not now; another time it may work: {@code EX_TEMPFAIL}.
     */
    static final int NOT_LED = 75;

    private static final long serialVersionUID = 1;
    private final int exitCode;

    CommandFailure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    private CommandFailure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    static CommandFailure usage(String message) {
        return new CommandFailure(USAGE, message);
    }

    static CommandFailure unusable(String message) {
        return new CommandFailure(FAILED, message);
    }

    static CommandFailure withCode(int exitCode, String message) {
        return new CommandFailure(exitCode, message);
    }

    int exitCode() {
        return exitCode;
    }
}
