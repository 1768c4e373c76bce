package dev.tenure.jdbc;

import dev.tenure.Registration;
import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for NOTIFY on a connection of its own, from the first watch on. Trusts a connection only while notifications
 * that it sends to itself come back, which they do not behind a transaction pooler. Only hints: nothing waits for them.
 */
final class PostgresWakeUps implements WakeUps, Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresWakeUps.class);
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int POLL_MILLIS = 500;
    private static final long SHORTEST_PAUSE = 500;
    private static final long LONGEST_PAUSE = 30_000;

    private final Connections connections;
    private final String channel;
    private final DaemonThreads thread = new DaemonThreads("tenure-jdbc-listen", 1);
    private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean started;
    private boolean heard;

    PostgresWakeUps(Connections connections, String channel) {
        this.connections = connections;
        this.channel = channel;
    }

    @Override
    public synchronized Registration watch(String key, Runnable wakeUp) {
        if (closed.getCount() == 0) {
            return () -> {};
        }
        Runnable own = () -> wakeUp.run(); // the same one may watch twice
        watchers.computeIfAbsent(key, first -> new CopyOnWriteArrayList<>()).add(own);
        if (!started) {
            started = true;
            thread.run(this);
        }
        return () -> remove(key, own);
    }

    private void remove(String key, Runnable own) {
        watchers.computeIfPresent(key, (same, all) -> {
            all.remove(own);
            return all.isEmpty() ? null : all;
        });
    }

    @Override
    public synchronized void close() {
        closed.countDown();
        watchers.clear();
        thread.close();
    }

    @Override
    public void run() {
        long pause = SHORTEST_PAUSE;
        try {
            do {
                heard = false;
                listenOnce();
                pause = heard ? SHORTEST_PAUSE : Math.min(pause * 2, LONGEST_PAUSE);
            } while (!closed.await(pause, TimeUnit.MILLISECONDS));
        } catch (InterruptedException stop) {
            line(JdbcEvent.LISTEN_ENDED).write();
        }
    }

    private void listenOnce() throws InterruptedException {
        try {
            Session session = connections.open(Deadline.in(LIMIT));
            boolean sound = false;
            try {
                listen(session);
                session.execute("UNLISTEN *");
                sound = closed.getCount() == 0;
            } finally {
                connections.dismiss(session, sound);
            }
        } catch (SQLException | RuntimeException gone) {
            if (closed.getCount() > 0) {
                line(JdbcEvent.LISTEN_FAILED).cause(gone).write();
            }
        }
    }

    /**
     * Returns when the connection is no longer of use.
     */
    private void listen(Session session) throws SQLException {
        PGConnection connection = session.connection().unwrap(PGConnection.class);
        Deadline first = Deadline.in(LIMIT);
        session.begin(first).execute("LISTEN \"" + channel + "\"");
        String sent = tellSelf(session);
        Deadline back = Deadline.in(LIMIT);
        while (closed.getCount() > 0) {
            PGNotification[] told = connection.getNotifications(POLL_MILLIS);
            for (PGNotification each : told == null ? new PGNotification[0] : told) {
                if (each.getParameter().equals(sent)) {
                    sent = "";
                    heardSelf();
                } else {
                    wake(each.getParameter());
                }
            }
            if (back.passed()) {
                if (!sent.isEmpty()) {
                    line(JdbcEvent.LISTEN_UNHEARD).write();
                    return;
                }
                back = Deadline.in(LIMIT);
                session.begin(back);
                sent = tellSelf(session);
            }
        }
    }

    /**
     * What changed while nobody listened is not known: everybody asks again.
     */
    private void heardSelf() {
        if (!heard) {
            heard = true;
            watchers.keySet().forEach(this::wake);
        }
    }

    private String tellSelf(Session session) throws SQLException {
        String token = "self " + UUID.randomUUID();
        session.query("SELECT pg_notify(?, ?)", row -> true, channel, token);
        return token;
    }

    private LogLine line(JdbcEvent event) {
        return LogLine.of(LOG, event).with("channel", channel);
    }

    private void wake(String key) {
        for (Runnable wakeUp : watchers.getOrDefault(key, List.of())) {
            try {
                wakeUp.run();
            } catch (RuntimeException failed) {
                LogLine.of(LOG, CoreEvent.WAKEUP_FAILED)
                        .with("key", key)
                        .cause(failed)
                        .write();
            }
        }
    }
}
