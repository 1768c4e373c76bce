package dev.tenure.jdbc;

import dev.tenure.StoreUnavailableException;
import java.sql.SQLException;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The few connections of a store. Two are kept, so that renewals need nothing from an exhausted pool; one of those in
 * use at once is for renewals alone, so that acquisitions which wait for a lock cannot stop them.
 */
final class Connections {
    private static final int KEPT = 2;
    private static final int MOST = 4;

    private final ConnectionSource source;
    private final Dialect dialect;
    private final DaemonThreads openers = new DaemonThreads("tenure-jdbc-connect", MOST);
    private final Semaphore all = new Semaphore(MOST);
    private final Semaphore ordinary = new Semaphore(MOST - 1);
    private final BlockingDeque<Session> idle = new LinkedBlockingDeque<>();
    private volatile boolean closed;

    Connections(ConnectionSource source, Dialect dialect) {
        this.source = source;
        this.dialect = dialect;
    }

    /**
     * A sound connection, to be given back.
     *
     * @param forRenewal may take the last one
     */
    Session borrow(Deadline deadline, boolean forRenewal) throws SQLException, InterruptedException {
        enter(deadline, forRenewal);
        boolean entered = false;
        try {
            Session kept = idle.pollFirst();
            Session session = kept == null ? open(deadline) : kept;
            entered = true;
            return session;
        } finally {
            if (!entered) {
                leave(forRenewal);
            }
        }
    }

    private void enter(Deadline deadline, boolean forRenewal) throws InterruptedException {
        if (!forRenewal && !ordinary.tryAcquire(deadline.nanosLeft(), TimeUnit.NANOSECONDS)) {
            throw deadline.exceeded("all connections of the store were in use");
        }
        boolean entered = false;
        try {
            entered = all.tryAcquire(deadline.nanosLeft(), TimeUnit.NANOSECONDS);
        } finally {
            if (!entered && !forRenewal) {
                ordinary.release();
            }
        }
        if (!entered) {
            throw deadline.exceeded("all connections of the store were in use");
        }
    }

    private void leave(boolean forRenewal) {
        all.release();
        if (!forRenewal) {
            ordinary.release();
        }
    }

    void giveBack(Session session, boolean forRenewal, boolean sound) {
        try {
            session.end(sound);
            if (sound) {
                keep(session);
            }
        } finally {
            leave(forRenewal);
        }
    }

    /**
     * Gives up one that was {@linkplain #open opened}.
     */
    void dismiss(Session session, boolean sound) {
        session.end(sound);
        if (sound) {
            session.giveBack();
        }
    }

    private void keep(Session session) {
        if (closed || idle.size() >= KEPT) {
            session.giveBack();
            return;
        }
        idle.addFirst(session);
        if (closed && idle.remove(session)) {
            session.giveBack();
        }
    }

    /**
     * Opens on another thread, since drivers and pools take their time. One that comes too late is kept for the next
     * call.
     */
    Session open(Deadline deadline) throws SQLException, InterruptedException {
        CompletableFuture<Session> opened = new CompletableFuture<>();
        try {
            openers.run(() -> openInto(opened, deadline));
        } catch (RejectedExecutionException allHang) {
            return awaitLateOne(deadline);
        }
        boolean taken = false;
        try {
            Session session = opened.get(Math.max(1, deadline.nanosLeft()), TimeUnit.NANOSECONDS);
            taken = true;
            return session;
        } catch (TimeoutException late) {
            throw deadline.exceeded("no connection was to be had");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof SQLException error) {
                throw error;
            }
            throw new StoreUnavailableException("no connection was to be had: " + failed.getCause(), null);
        } finally {
            if (!taken && !opened.completeExceptionally(new TimeoutException())) {
                keepIfOpened(opened);
            }
        }
    }

    private Session awaitLateOne(Deadline deadline) throws InterruptedException {
        Session late = closed ? null : idle.pollFirst(deadline.nanosLeft(), TimeUnit.NANOSECONDS);
        if (late == null) {
            throw closed
                    ? new StoreUnavailableException("the store is closed", null)
                    : deadline.exceeded("no connection was to be had, since " + MOST + " attempts hang,");
        }
        return late;
    }

    private void openInto(CompletableFuture<Session> opened, Deadline deadline) {
        try {
            Session session = openNow(deadline);
            if (!opened.complete(session)) {
                keep(session);
            }
        } catch (Throwable unusable) { // whoever waits must be told
            opened.completeExceptionally(unusable);
        }
    }

    private Session openNow(Deadline deadline) throws SQLException {
        return new Session(dialect, Borrowed.of(source.open(deadline.limit()), dialect, deadline.limit()));
    }

    private void keepIfOpened(CompletableFuture<Session> opened) {
        if (!opened.isCompletedExceptionally()) {
            keep(opened.join());
        }
    }

    void close() {
        closed = true;
        openers.close();
        for (Session session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
            session.giveBack();
        }
    }
}
