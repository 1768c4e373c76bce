package dev.tenure.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Shows on real processes what an election survives.
 */
@Command(
        name = "demo",
        header = {"Shows on real processes what an election survives.", ""},
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        description = {
            "Elects among three processes, and does to them what happens in production: hands over, kills a leader,"
                    + " freezes one for longer than its lease and wakes it with a write in flight, cuts one off from the"
                    + " store. Whoever leads writes to two registers: a fenced one, which compares the token, and one"
                    + " that does not.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all went as promised",
            "1:a stale write got past the fence, two led at once, a token did not rise, or the demo did not get that far"
        },
        footer = {
            "",
            "With neither --store nor $TENURE_STORE it works on SQLite files in a temporary folder, not in the state folder."
                    + " On a store that is no database, as Redis and Consul, the registers are an SQLite file too."
                    + " Processes, files and the registers' tables are removed at the end; in a store that was named,"
                    + " the lease table and the record of the demo's role stay; in Redis the role's counter,"
                    + " in Consul the role's key.",
            "",
            "On Consul a lease is of 10s at least, a session that is not renewed may last for twice that, and the key stays"
                    + " closed for the lock delay. So a crash takes up to 40 s to be overcome, and there is one round; a"
                    + " lockDelay of 1s in the URL shows it sooner.",
            "",
            "Examples:",
            "  tenure demo",
            "  tenure demo --quick",
            "  TENURE_STORE='jdbc:postgresql://db/app?user=app&password=...' tenure demo"
        })
final class DemoCommand implements Callable<Integer> {
    @Mixin
    StoreOptions store = new StoreOptions();

    @Option(
            names = "--quick",
            description = "One round with short leases: ends within 45 s on a slow machine, on Consul within minutes.")
    boolean quick;

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    /**
     * Whoever reads no more has seen enough: the end, in which everything is removed, must not wait for this thread.
     */
    private static void tell(PrintWriter out, String line) {
        out.println(line);
        if (out.checkError()) {
            new Thread(() -> System.exit(CommandFailure.FAILED), "tenure-demo-unread").start();
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        if (store.isGiven()) {
            store.openShared().close(); // what is wrong with it is told here, once
        }
        PrintWriter out = spec.commandLine().getOut();
        Timeline timeline = new Timeline(line -> tell(out, line));
        try (DemoPlace place = DemoPlace.make(store)) {
            DemoPlan plan = (quick ? DemoPlan.QUICK : DemoPlan.FULL).on(place.traits());
            Demo demo = new Demo(plan, place, timeline);
            Thread atSignal = new Thread(demo::close, "tenure-demo-stop");
            Runtime.getRuntime().addShutdownHook(atSignal);
            boolean kept;
            try (demo) {
                kept = demo.play();
            }
            out.flush();
            return kept ? 0 : CommandFailure.FAILED;
        }
    }
}
