package dev.tenure.cli;

import dev.tenure.spi.Finding;
import dev.tenure.spi.Finding.Severity;
import dev.tenure.spi.LeaseStore;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Examines a store.
 */
@Command(
        name = "doctor",
        header = {"Says what a store may do to elections.", ""},
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        description = {
            "Examines a store before production: whether and how soon it answers, and on Redis and Valkey eviction,"
                    + " persistence, replicas, missing permissions and the clock; on Consul its servers, what they make of"
                    + " sessions, missing ACL rules and stale answers. Each finding says what may happen and"
                    + " what to do. Elections notice nothing, and nothing is left behind.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no problem; there may be advice, and things that could not be seen",
            "1:a problem, or the store cannot be reached",
            "2:a wrong option"
        },
        footer = {
            "",
            "It sees what the user or token of the URL may see: use the one that the application uses.",
            "",
            "Examples:",
            "  tenure doctor --store redis://db:6379",
            "  tenure doctor --store consul://127.0.0.1:8500",
            "  tenure doctor --json"
        })
final class DoctorCommand implements Callable<Integer> {
    private static final String INDENT = "         ";

    @Mixin
    StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "One JSON object.")
    boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        List<Finding> findings;
        String name;
        try (LeaseStore leases = store.openExisting()) {
            findings = StoreAnswers.await(leases.examine());
            name = leases.traits().name();
        }
        show(name, findings);
        return count(findings, Severity.PROBLEM) == 0 ? 0 : CommandFailure.FAILED;
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream().filter(each -> each.severity() == severity).count();
    }

    private void show(String name, List<Finding> findings) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("store", name);
            all.put("findings", findings.stream().map(DoctorCommand::json).toList());
            out.println(Json.write(all));
        } else {
            out.println(Text.oneLine(name));
            findings.forEach(finding -> {
                out.printf("%-7s  %s: %s%n", word(finding.severity()), finding.subject(), Text.oneLine(finding.seen()));
                more(out, "may happen", finding.mayHappen());
                more(out, "to do", finding.toDo());
            });
            out.println();
            out.println("doctor: problems=" + count(findings, Severity.PROBLEM) + " advice="
                    + count(findings, Severity.ADVICE) + " unknown=" + count(findings, Severity.UNKNOWN));
        }
        out.flush();
    }

    private static void more(PrintWriter out, String what, String text) {
        if (!text.isEmpty()) {
            out.println(INDENT + what + ": " + Text.oneLine(text));
        }
    }

    /**
     * What must not be overlooked is in capitals.
     */
    private static String word(Severity severity) {
        return severity == Severity.PROBLEM ? "PROBLEM" : severity.name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, Object> json(Finding finding) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("severity", finding.severity().name().toLowerCase(Locale.ROOT));
        fields.put("subject", finding.subject());
        fields.put("seen", finding.seen());
        fields.put("may_happen", finding.mayHappen());
        fields.put("to_do", finding.toDo());
        return fields;
    }
}
