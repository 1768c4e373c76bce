package dev.tenure.consul;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import dev.tenure.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes its token again and again while it leads: behind a fence into one table, and without one into another. Told
 * to, it stops between looking at its lease and writing, where every program can be frozen, and goes on from there as if
 * nothing had happened.
 */
final class RegisterWork implements LeaderWork {
    private static final String GUARDED = "guarded";
    private static final String UNGUARDED = "unguarded";
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final JdbcFence fence = JdbcFence.guardTable();
    private final Connection connection;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition goes = lock.newCondition();
    private boolean holding;

    /**
     * @param registers of a database in which they were {@linkplain #create made}
     */
    RegisterWork(String registers) throws SQLException {
        connection = DriverManager.getConnection(registers);
    }

    static String url(String file) {
        return "jdbc:sqlite:" + file + "?transaction_mode=IMMEDIATE&busy_timeout=30000";
    }

    static void create(String registers) throws SQLException {
        try (Connection connection = DriverManager.getConnection(registers);
                Statement statement = connection.createStatement()) {
            for (String table : List.of(GUARDED, UNGUARDED)) {
                statement.execute("create table " + table + " (id integer primary key, token integer not null)");
            }
        }
    }

    /**
     * What was written behind the fence, in order.
     */
    static List<Long> guarded(String registers) throws SQLException {
        List<Long> tokens = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(registers);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select token from " + GUARDED + " order by id")) {
            while (rows.next()) {
                tokens.add(rows.getLong(1));
            }
        }
        return tokens;
    }

    void hold() {
        holding(true);
    }

    void go() {
        holding(false);
    }

    private void holding(boolean now) {
        lock.lock();
        try {
            holding = now;
            goes.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() throws SQLException {
        connection.close();
    }

    @Override
    public void lead(Lease lease) throws InterruptedException, SQLException {
        long token = lease.fencingToken().value();
        lease.onLost(reason -> Member.tell(System.nanoTime(), "lost", token, reason.name()));
        while (true) {
            long before = System.nanoTime();
            if (!lease.isHeld()) {
                return;
            }
            Member.tell(before, "held", token, "");
            passGate(lease);
            write(lease.fencingToken());
            lease.awaitLost(PAUSE);
        }
    }

    private void passGate(Lease lease) {
        lock.lock();
        try {
            if (holding) {
                long token = lease.fencingToken().value();
                Member.tell(System.nanoTime(), "waits", token, "");
                while (holding) {
                    goes.awaitUninterruptibly(); // a program that is frozen here does not see interrupts either
                }
                Member.tell(System.nanoTime(), "goes", token, lease.isHeld() ? "held" : "lost");
            }
        } finally {
            lock.unlock();
        }
    }

    private void write(FencingToken token) throws SQLException {
        connection.setAutoCommit(false); // the database is locked from here to the commit
        try {
            fence.check(connection, token);
            insert(GUARDED, token);
            connection.commit();
            Member.tell(System.nanoTime(), "accepted", token.value(), "");
        } catch (FencedOutException stale) {
            connection.rollback();
            Member.tell(System.nanoTime(), "refused", token.value(), Long.toString(stale.highest()));
        } finally {
            connection.setAutoCommit(true);
        }
        long before = newest();
        insert(UNGUARDED, token);
        Member.tell(System.nanoTime(), "wrote", token.value(), Long.toString(before));
    }

    private void insert(String table, FencingToken token) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into " + table + " (token) values (?)")) {
            insert.setLong(1, token.value());
            insert.executeUpdate();
        }
    }

    private long newest() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select coalesce((select token from " + UNGUARDED + " order by id desc limit 1), 0)")) {
            return row.next() ? row.getLong(1) : 0;
        }
    }
}
