package dev.tenure.test.virtual;

import java.util.ArrayList;
import java.util.List;

/**
 * The threads of user code of one process.
 */
final class Carriers {
    private final String process;
    private final List<Carrier> all = new ArrayList<>();
    private final List<Carrier> idle = new ArrayList<>();
    private int count;

    Carriers(String process) {
        this.process = process;
    }

    /**
     * Runs it on a thread of its own until that is done or waits.
     */
    void run(Runnable task) {
        Carrier carrier =
                idle.isEmpty() ? new Carrier("virtual-" + process + "-" + ++count) : idle.remove(idle.size() - 1);
        all.add(carrier);
        carrier.begin(task);
        sortOut();
    }

    private void sortOut() {
        for (Carrier carrier : List.copyOf(all)) {
            if (carrier.isDone()) {
                all.remove(carrier);
                idle.add(carrier);
            }
        }
    }

    /**
     * Lets those run whose time has come, in order; true if any did.
     */
    boolean proceedDue(long now) {
        boolean moved = false;
        for (Carrier carrier : List.copyOf(all)) {
            if (carrier.isBlocked()) {
                moved |= carrier.poll();
            } else if (carrier.wakeAt() <= now) {
                carrier.proceed();
                moved = true;
            }
        }
        if (moved) {
            sortOut();
        }
        return moved;
    }

    boolean isAnyBlocked() {
        return all.stream().anyMatch(Carrier::isBlocked);
    }

    boolean isAnyOnItsWay() {
        return all.stream().anyMatch(Carrier::isOnItsWay);
    }

    long nextAt() {
        return all.stream().mapToLong(Carrier::wakeAt).min().orElse(Long.MAX_VALUE);
    }

    void end() {
        List.copyOf(all).forEach(Carrier::end);
        List.copyOf(idle).forEach(Carrier::end);
        all.clear();
        idle.clear();
    }
}
