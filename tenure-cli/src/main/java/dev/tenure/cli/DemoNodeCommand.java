package dev.tenure.cli;

import dev.tenure.LeaderElector;
import dev.tenure.Tenure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * A candidate of {@link DemoCommand}: carries out the orders on its standard input, one a line, until it ends.
 */
@Command(name = "demo-node", hidden = true)
final class DemoNodeCommand implements Callable<Integer> {
    static final String REGISTERS = "TENURE_DEMO_REGISTERS";
    static final String NAMESPACE = "TENURE_DEMO_NAMESPACE";

    @Parameters(index = "0")
    String name = "";

    @Parameters(index = "1")
    String role = "";

    @Parameters(index = "2")
    String lease = "";

    @Parameters(index = "3")
    String prefix = "";

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
        StoreOptions options = new StoreOptions();
        options.namespace = System.getenv(NAMESPACE);
        CuttableStore store = new CuttableStore(options.open());
        EventLog log = new EventLog(System.out, role, name, complaint -> {});
        TermEvents events = new TermEvents(line -> {});
        events.to(log);
        String registerUrl = System.getenv().getOrDefault(REGISTERS, "");
        try (Registers registers = Registers.open(registerUrl, prefix);
                Tenure tenure = tenure(store, events)) {
            DemoWork work = new DemoWork(registers, name, log);
            LeaderElector elector = tenure.with(own -> DemoPlan.apply(own, Duration.parse(lease)))
                    .elector(role, work);
            elector.onChange(events::elected, events::lost);
            StoreAnswers.warmUp(store, role);
            log.write(EventLog.Event.of("ready", null));
            obey(elector, work, store);
        }
        return 0;
    }

    private Tenure tenure(CuttableStore store, TermEvents events) {
        return Tenure.builder(store).instance(name).monitor(events).build();
    }

    private static void obey(LeaderElector elector, DemoWork work, CuttableStore store) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            switch (order) {
                case "start" -> elector.start();
                case "resign" -> elector.resign();
                case "cut" -> store.cut(true);
                case "heal" -> store.cut(false);
                case "hold" -> work.holdNextWrite();
                case "write" -> work.goOn();
                default -> {
                    return; // stop
                }
            }
        }
        Runtime.getRuntime().halt(CommandFailure.FAILED); // whoever gave the orders is gone
    }
}
