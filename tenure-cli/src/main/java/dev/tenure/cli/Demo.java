package dev.tenure.cli;

import dev.tenure.cli.DemoHistory.Fault;
import dev.tenure.spi.StoreTraits;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The demonstration: starts the nodes, does things to whoever leads, and tells what comes of it. Every number is
 * measured: by the nodes' own clocks, and by what the registers accepted.
 */
final class Demo implements AutoCloseable {
    private static final Duration END = Duration.ofSeconds(5);

    private final DemoPlan plan;
    private final DemoPlace place;
    private final Timeline timeline;
    private final StoreTraits traits;
    private final DemoHistory history;
    private final Map<String, DemoNode> nodes = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Demo(DemoPlan plan, DemoPlace place, Timeline timeline) {
        this.plan = plan;
        this.place = place;
        this.timeline = timeline;
        traits = place.traits();
        history = new DemoHistory(plan.patience(traits));
    }

    /**
     * Tells the whole story.
     *
     * @return whether everything went as promised
     */
    boolean play() throws InterruptedException {
        List<String> broken = new ArrayList<>();
        try (Registers registers = place.registers()) {
            registers.create();
            tellPlace();
            try {
                rounds();
                stopAll();
            } catch (CommandFailure stuck) {
                broken.add(Text.reason(stuck));
            }
            if (closed) {
                return false;
            }
            DemoReport report = DemoReport.of(history, registers, broken);
            report.lines().forEach(timeline::say);
            return report.isGood();
        } catch (SQLException failed) {
            if (closed) {
                return false; // in the middle of something
            }
            throw CommandFailure.withCode(CommandFailure.FAILED, "the registers failed: " + Text.reason(failed));
        }
    }

    private void tellPlace() {
        timeline.say("Three candidates, a lease of " + Text.rough(plan.lease()) + ", on " + traits.name() + ".");
        timeline.say("By these options another leads at most " + longest() + " after a leader has died.");
        if (DemoPlan.isSlow(traits)) {
            timeline.say("That is the lease, " + Text.rough(traits.expiryLag(plan.lease()))
                    + " that the store may end it late, a lock delay of " + Text.rough(traits.lockDelay())
                    + ", and an answer. So there is one round.");
        }
    }

    private String longest() {
        return Text.rough(traits.worstCaseTakeover(plan.options()));
    }

    /**
     * Where it takes long, why nothing happens.
     */
    private void tellWait() {
        if (DemoPlan.isSlow(traits)) {
            timeline.say("            waiting for the store to end the lease and to open the role: " + longest()
                    + " at most");
        }
    }

    private void rounds() throws InterruptedException {
        int steps = 4 * plan.rounds() + 2;
        int step = 1;
        start(step++, steps);
        for (int round = 1; round <= plan.rounds(); round++) {
            handOver(step++, steps);
            kill(step++, steps, round);
            freeze(step++, steps);
            cutOff(step++, steps);
        }
        timeline.step(progress(step, steps) + "the end: everybody stops");
    }

    private static String progress(int step, int steps) {
        return "[" + step + "/" + steps + "] ";
    }

    private void start(int step, int steps) throws InterruptedException {
        timeline.step(progress(step, steps) + "three processes stand for one role");
        for (String name : List.of("a", "b", "c")) {
            startNode(name);
        }
        for (String name : List.of("a", "b", "c")) {
            stand(name);
        }
        history.awaitLeader();
    }

    private void startNode(String name) {
        nodes.put(name, DemoNode.start(name, plan, place, this::hear));
        if (closed) {
            close();
        }
    }

    private void stand(String name) throws InterruptedException {
        history.await(name + " to start", event -> event.node().equals(name) && event.is("ready"));
        node(name).order("start");
    }

    private DemoNode node(String name) {
        DemoNode node = nodes.get(name);
        if (node == null) {
            throw CommandFailure.unusable("no process " + name);
        }
        return node;
    }

    private void handOver(int step, int steps) throws InterruptedException {
        DemoEvent leader = history.awaitLeader();
        timeline.step(progress(step, steps) + "a graceful hand-over: " + leader.node() + " resigns");
        long from = System.nanoTime();
        node(leader.node()).order("resign");
        // Told by two processes: the successor's election may be heard of first, and the old leader look like one
        // still.
        history.await("the loss", event -> event.is("lost") && event.token() == leader.token());
        tookOver(Fault.HAND_OVER, from, leader);
    }

    private void kill(int step, int steps, int round) throws InterruptedException {
        DemoEvent leader = history.awaitLeader();
        timeline.step(progress(step, steps) + "SIGKILL: " + leader.node() + " dies, its lease must run out");
        long from = System.nanoTime();
        history.dooms(leader.node());
        history.ends(leader, from);
        DemoNode dead = node(leader.node());
        dead.close();
        nodes.remove(dead.name());
        tellWait();
        String next = leader.node().substring(0, 1) + (round + 1);
        startNode(next);
        tookOver(Fault.KILL, from, leader);
        stand(next);
    }

    private void freeze(int step, int steps) throws InterruptedException {
        DemoEvent leader = history.awaitLeader();
        DemoNode node = node(leader.node());
        timeline.step(progress(step, steps) + "SIGSTOP: " + node.name() + " freezes between looking at its lease and"
                + " writing");
        node.order("hold");
        history.await("a write in flight", event -> event.is("about_to_write") && event.token() == leader.token());
        long from = System.nanoTime();
        history.ends(leader, from);
        node.signal("STOP");
        boolean stands = node.awaitFrozen();
        if (stands) {
            node.order("write"); // read when it wakes: before, it would be carried out
        }
        timeline.happened(from, node.name(), "is frozen");
        tellWait();
        DemoEvent successor = tookOver(Fault.FREEZE, from, leader);
        history.await("the successor's writes", event -> event.is("writes") && event.token() == successor.token());
        sleepUntil(from + plan.freeze().toNanos());
        long woken = System.nanoTime();
        timeline.happened(woken, node.name(), "wakes after " + Text.rough(Duration.ofNanos(woken - from)));
        if (!stands) {
            node.order("write");
        }
        node.signal("CONT");
        DemoEvent lost = history.await("the loss", event -> event.is("lost") && event.token() == leader.token());
        DemoEvent late =
                history.await("the late write", event -> event.is("wrote_late") && event.token() == leader.token());
        timeline.happened(
                lost.nanos(),
                node.name(),
                "knew of its loss " + Text.rough(Duration.ofNanos(lost.nanos() - woken)) + " after waking");
        timeline.happened(
                late.nanos(), node.name(), "tried its write with token " + late.token() + ": " + late.reason());
    }

    private void cutOff(int step, int steps) throws InterruptedException {
        DemoEvent leader = history.awaitLeader();
        DemoNode node = node(leader.node());
        timeline.step(progress(step, steps) + "a partition: " + node.name() + " is cut off from the store");
        long from = System.nanoTime();
        node.order("cut");
        tellWait();
        history.await("the loss", event -> event.is("lost") && event.token() == leader.token());
        tookOver(Fault.CUT, from, leader);
        node.order("heal");
    }

    private DemoEvent tookOver(Fault fault, long from, DemoEvent leader) throws InterruptedException {
        DemoEvent successor = history.awaitSuccessor(leader);
        history.tookOver(fault, from, successor);
        timeline.happened(
                successor.nanos(),
                successor.node(),
                "took over after " + Text.rough(Duration.ofNanos(successor.nanos() - from)));
        return successor;
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    private void hear(DemoEvent event) {
        String what = switch (event.name()) {
            case "ready" -> "is up";
            case "elected" -> "leads, token " + event.token();
            case "lost" -> "leads no more: " + event.reason();
            case "store_unavailable" -> "cannot reach the store: " + event.reason();
            case "store_recovered" -> "reaches the store again";
            default -> "";
        };
        if (!what.isEmpty()) {
            timeline.happened(event.nanos(), event.node(), what);
        }
        history.add(event);
    }

    private void stopAll() throws InterruptedException {
        for (DemoNode node : nodes.values()) {
            history.dooms(node.name());
            node.order("stop");
        }
        for (DemoNode node : nodes.values()) {
            if (!node.endsWithin(END)) {
                throw CommandFailure.unusable("process " + node.name() + " did not end");
            }
        }
    }

    /**
     * Ends all processes and removes all files. Idempotent; the story is over.
     */
    @Override
    public void close() {
        closed = true;
        timeline.end();
        nodes.values().forEach(DemoNode::close);
        nodes.clear();
        place.close();
    }
}
