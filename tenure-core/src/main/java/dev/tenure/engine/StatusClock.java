package dev.tenure.engine;

import dev.tenure.ElectorHealth.Status;

/**
 * Since when an election has its status. Written on the loop, readable from anywhere.
 */
final class StatusClock {
    private volatile Entry present;

    private record Entry(Status status, long since) {}

    StatusClock(Election election, long now) {
        present = new Entry(Diagnosis.status(election), now);
    }

    void note(Election election, long now) {
        Status status = Diagnosis.status(election);
        if (status != present.status()) {
            present = new Entry(status, now);
        }
    }

    /**
     * @param now if it has the status only since it was noted last
     */
    long since(Status status, long now) {
        Entry entry = present;
        return entry.status() == status ? entry.since() : now;
    }
}
