package dev.tenure.cli;

import dev.tenure.Registration;
import dev.tenure.StoreException;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Follows who leads.
 */
@Command(
        name = "watch",
        header = {"Follows who leads a role.", ""},
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        description = {"Shows who leads a role, now and at every change, until it is interrupted.", ""},
        footer = {
            "",
            "Looks once a second, and at once where the store tells. Ends when nobody reads its output any more.",
            "",
            "Examples:",
            "  tenure watch nightly",
            "  tenure watch nightly --json | while read -r line; do ...; done"
        })
final class WatchCommand implements Callable<Integer> {
    private static final Duration POLL = Duration.ofSeconds(1);

    @Parameters(paramLabel = "ROLE", description = "What is followed.")
    String role = "";

    @Mixin
    StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "One JSON object a line, times in milliseconds.")
    boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    CommandSpec spec;

    private @Nullable Shown last;
    private boolean failing;

    /**
     * What makes a change.
     */
    private record Shown(Optional<String> holder, Optional<Long> token, Optional<String> incarnation) {
        static Shown of(RecordView view) {
            Optional<LeaseRecord> present = view.record();
            return new Shown(
                    present.map(record -> record.holder().name()),
                    present.map(LeaseRecord::token),
                    present.map(record -> record.holder().incarnation()));
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        Semaphore wakeUps = new Semaphore(0);
        PipeReaders readers = PipeReaders.ofStandardOutput();
        try (LeaseStore leases = store.openExisting()) {
            Registration watch = leases.watch(Roles.key(role, leases.traits()), wakeUps::release);
            while (look(leases) && !readers.areGone()) {
                boolean woken = wakeUps.tryAcquire(POLL.toMillis(), TimeUnit.MILLISECONDS);
                if (woken) {
                    wakeUps.drainPermits();
                }
            }
            watch.remove();
        }
        return 0;
    }

    /**
     * Looks once, and tells what has changed.
     *
     * @return whether somebody still reads
     */
    private boolean look(LeaseStore leases) throws InterruptedException {
        try {
            RecordView view = StatusCommand.read(leases, role);
            failing = false;
            Shown now = Shown.of(view);
            if (now.equals(last)) {
                return true;
            }
            last = now;
            return print(view);
        } catch (StoreException unknown) {
            if (!failing) {
                PrintWriter err = spec.commandLine().getErr();
                err.println("tenure: the store gives no usable answer, tries on: " + Text.reason(unknown));
            }
            failing = true;
            return true;
        }
    }

    private boolean print(RecordView view) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, @Nullable Object> line = new LinkedHashMap<>();
            line.put("t", Instant.now().toString());
            line.putAll(view.json());
            out.println(Json.write(line));
        } else {
            out.println(Instant.now().truncatedTo(ChronoUnit.MILLIS) + "  " + view.line());
        }
        return !out.checkError();
    }
}
