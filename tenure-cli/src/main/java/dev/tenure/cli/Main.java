package dev.tenure.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the {@code tenure} command. */
@Command(
        name = "tenure",
        description = "Leader election on a store that you already run.",
        mixinStandardHelpOptions = true)
final class Main implements Runnable {

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }
}
