package dev.tenure.cli;

import dev.tenure.spi.LeaseStore;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Shows who leads.
 */
@Command(
        name = "status",
        header = {"Shows who leads.", ""},
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        description = {
            "Shows who leads: role, holder, token, held for, expires in, metadata. Without a role: all that are held.",
            ""
        },
        footer = {
            "",
            "A record that has expired is none. Held for compares this machine's clock with the store's or the holder's."
                    + " Consul does not tell when a session ends: there expires in is the whole lease.",
            "",
            "Examples:",
            "  tenure status",
            "  tenure status nightly billing/close --store jdbc:postgresql://db/app",
            "  tenure status nightly --json"
        })
final class StatusCommand implements Callable<Integer> {
    @Mixin
    StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "One JSON array, times in milliseconds.")
    boolean json;

    @Parameters(paramLabel = "ROLE", arity = "0..*", description = "Only these, whether held or not.")
    List<String> roles = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (LeaseStore leases = store.openExisting()) {
            show(roles.isEmpty() ? all(leases) : named(leases));
        }
        return 0;
    }

    private static List<RecordView> all(LeaseStore leases) throws InterruptedException {
        return StoreAnswers.await(leases.list()).stream()
                .map(present ->
                        new RecordView(Roles.role(present.key(), leases.traits()), present.key(), Optional.of(present)))
                .sorted(Comparator.comparing(RecordView::role))
                .toList();
    }

    private List<RecordView> named(LeaseStore leases) throws InterruptedException {
        List<RecordView> views = new ArrayList<>();
        for (String role : roles) {
            views.add(read(leases, role));
        }
        return views;
    }

    static RecordView read(LeaseStore leases, String role) throws InterruptedException {
        String key = Roles.key(role, leases.traits());
        return new RecordView(role, key, StoreAnswers.await(leases.read(key)));
    }

    private void show(List<RecordView> views) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.write(views.stream().map(RecordView::json).toList()));
        } else if (views.isEmpty()) {
            out.println("nobody leads anything");
        } else {
            Table table = new Table("ROLE", "HOLDER", "TOKEN", "HELD FOR", "EXPIRES IN", "METADATA");
            views.forEach(view -> table.add(
                    Text.oneLine(view.role()),
                    view.holder(),
                    view.token(),
                    view.heldFor().map(Text::rough).orElse(""),
                    view.expiresIn().map(Text::rough).orElse(""),
                    view.metadata()));
            table.lines().forEach(out::println);
        }
        out.flush();
    }
}
