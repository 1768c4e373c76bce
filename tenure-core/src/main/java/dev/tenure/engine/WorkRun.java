package dev.tenure.engine;

import dev.tenure.LeaderWork;
import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader work of one term.
 */
final class WorkRun {
    private static final Logger LOG = LoggerFactory.getLogger(WorkRun.class);

    private final LeaderWork work;
    private final TermHandle handle;
    private final Participant owner;
    private final WorkThread thread = new WorkThread();

    WorkRun(LeaderWork work, TermHandle handle, Participant owner) {
        this.work = work;
        this.handle = handle;
        this.owner = owner;
    }

    void start(Users users) {
        users.run("leader work", handle.role(), handle.code(), this::run);
    }

    private void run() {
        if (!handle.isHeld() || !thread.enter()) {
            handle.addTo(LogLine.of(LOG, CoreEvent.WORK_NOT_STARTED)).write();
            return;
        }
        try {
            work.lead(handle);
            thread.leave();
            owner.workReturned(handle);
        } catch (Throwable thrown) {
            thread.leave();
            owner.workThrew(handle, thrown);
        }
    }

    void interrupt() {
        thread.interrupt();
    }
}
