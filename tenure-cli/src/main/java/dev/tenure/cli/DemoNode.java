package dev.tenure.cli;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A candidate of the demonstration: a JVM of its own, told what to do through its standard input, telling what happens
 * through its standard output.
 */
final class DemoNode implements AutoCloseable {
    private static final Duration FROZEN_WITHIN = Duration.ofMillis(500);

    private final String name;
    private final ProcessGroup group;
    private final BufferedWriter orders;

    private DemoNode(String name, ProcessGroup group) {
        this.name = name;
        this.group = group;
        this.orders = group.leader().outputWriter(StandardCharsets.UTF_8);
    }

    static DemoNode start(String name, DemoPlan plan, DemoPlace place, Consumer<DemoEvent> listener) {
        List<String> command = OwnProgram.command();
        command.addAll(List.of("demo-node", name, place.role(), plan.lease().toString(), place.prefix()));
        Map<String, String> environment = new HashMap<>();
        environment.put(StoreOptions.VARIABLE, place.leaseUrl()); // not an argument: ps shows those
        environment.put(DemoNodeCommand.REGISTERS, place.registerUrl());
        place.namespaceIfAny().ifPresent(namespace -> environment.put(DemoNodeCommand.NAMESPACE, namespace));
        try {
            DemoNode node = new DemoNode(
                    name, ProcessGroup.start(command, environment, ProcessGroup.Input.PIPE, Duration.ofMillis(100)));
            Thread reader = new Thread(() -> node.read(listener), "tenure-demo-" + name);
            reader.setDaemon(true);
            reader.start();
            return node;
        } catch (IOException cannot) {
            throw CommandFailure.unusable("a process cannot be started: " + Text.reason(cannot));
        }
    }

    private void read(Consumer<DemoEvent> listener) {
        try (BufferedReader lines = group.leader().inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                listener.accept(DemoEvent.parse(name, line));
            }
        } catch (IOException closed) {
            // the process has ended
        }
        listener.accept(new DemoEvent(name, "ended", System.nanoTime(), 0, ""));
    }

    String name() {
        return name;
    }

    /**
     * An order, carried out as soon as the node reads it.
     */
    void order(String order) {
        try {
            orders.write(order + "\n");
            orders.flush();
        } catch (IOException ended) {
            // its event says so
        }
    }

    void signal(String signal) {
        group.signal(signal);
    }

    /**
     * Waits until a signal has stopped every thread.
     *
     * @return whether it is known to have
     */
    boolean awaitFrozen() {
        long pid = group.leader().pid();
        return FrozenThreads.canTell(pid) && Waits.until(FROZEN_WITHIN, () -> FrozenThreads.areAll(pid));
    }

    boolean endsWithin(Duration time) throws InterruptedException {
        return group.leader().waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        group.signal("KILL");
        group.close();
    }
}
