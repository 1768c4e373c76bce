package dev.tenure.verification.documents;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.Tenure;
import dev.tenure.channel.LeaderChannel;
import dev.tenure.jdbc.JdbcFence;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Follows a feed and keeps its running total. The instance that leads writes the totals to a sink.
 */
public final class WarmStandby implements AutoCloseable {
    /**
     * An item of the feed with the total up to it. The position is the number of its line, from 1.
     */
    record Change(long position, long value, long total) {}

    private final NavigableMap<Long, Change> kept = new ConcurrentSkipListMap<>(); // what the sink may not have yet
    private final CountDownLatch closing = new CountDownLatch(1);
    private final String instance;
    private final Sink sink;
    private final Tenure tenure;
    private final LeaderElector elector;
    private final LeaderChannel<Change> changes;

    WarmStandby(String instance) throws SQLException {
        this.instance = instance;
        sink = new Sink("jdbc:sqlite:sink.db");
        tenure = Tenure.builder("jdbc:sqlite:lease.db")
                .instance(instance)
                .defaults(options -> options.lease(Duration.ofSeconds(5)))
                .build();
        elector = tenure.elector("totals");
        elector.onChange(
                lease -> say("leads with token " + lease.fencingToken().value()),
                (lease, reason) -> say("no longer leads: " + reason));
        changes = LeaderChannel.<Change>builder("changes", elector).build();
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("check")) {
            new Sink("jdbc:sqlite:sink.db").check();
            return;
        }
        WarmStandby standby = new WarmStandby(arguments[0]);
        Runtime.getRuntime().addShutdownHook(new Thread(standby::close)); // on SIGTERM and SIGINT
        standby.run();
    }

    private void run() throws InterruptedException {
        startThread("follow", this::follow);
        startThread("send", () -> changes.forEach(this::send));
        elector.start();
        say("stands; after a crash another leads within "
                + elector.describe().worstCaseTakeover().toMillis() + " ms");
        while (!closing.await(500, TimeUnit.MILLISECONDS)) {
            tidy();
        }
    }

    /**
     * Reads the feed on every instance, from the item after the sink's last one on.
     */
    private void follow() throws IOException, SQLException, InterruptedException {
        Change last = sink.last();
        long position = 0;
        long total = last.total();
        StringBuilder line = new StringBuilder();
        try (InputStream feed = new BufferedInputStream(Files.newInputStream(Path.of("feed.txt")))) {
            while (true) {
                int next = feed.read();
                if (next >= 0 && next != '\n') {
                    line.append((char) next);
                } else if (next == '\n') {
                    position++;
                    if (position > last.position()) {
                        long value = Long.parseLong(line.toString());
                        total += value;
                        Change change = new Change(position, value, total);
                        kept.put(position, change);
                        changes.offer(change); // discarded unless this instance leads
                    }
                    line.setLength(0);
                } else if (closing.await(20, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        }
    }

    /**
     * Called for what was admitted in a term, while that term runs. Writes everything that the sink lacks, so that an
     * item which was discarded, or whose write failed, comes with the next one.
     */
    private void send(Change newest, Lease lease) {
        try {
            sink.append(kept.headMap(newest.position(), true), instance, lease.fencingToken());
        } catch (FencedOutException stale) {
            say("refused: " + stale.getMessage());
        } catch (SQLException failed) {
            say("not written, tries again: " + failed.getMessage());
        }
    }

    /**
     * Forgets what the sink has, and offers the newest of the rest once more, in case the feed pauses.
     */
    private void tidy() {
        try {
            kept.headMap(sink.last().position(), true).clear();
            Map.Entry<Long, Change> newest = kept.lastEntry();
            if (newest != null) {
                changes.offer(newest.getValue());
            }
        } catch (SQLException failed) {
            say("the sink cannot be read: " + failed.getMessage());
        }
    }

    @Override
    public void close() {
        closing.countDown();
        changes.close();
        tenure.close(); // gives leadership up, so that another instance need not wait for the lease to end
    }

    interface Part {
        void run() throws Exception;
    }

    /**
     * A part that fails ends the process, so that an instance which does half of its work does not lead.
     */
    private void startThread(String name, Part part) {
        Runnable whole = () -> {
            try {
                part.run();
            } catch (Exception failed) {
                say(name + " failed: " + failed);
                System.exit(1);
            }
        };
        new Thread(whole, name).start();
    }

    private void say(String what) {
        System.out.println(instance + " " + what);
    }

    /**
     * A table that shows what was written, in this order, and by whom. It has no unique key, so that a repeat would show.
     */
    static final class Sink {
        // WAL: who reads waits for nobody. IMMEDIATE: a transaction has the write lock from its start.
        private static final String SETTINGS = "?journal_mode=WAL&busy_timeout=5000&transaction_mode=IMMEDIATE";

        private final JdbcFence fence = JdbcFence.guardTable();
        private final String url;

        Sink(String url) throws SQLException {
            this.url = url + SETTINGS;
            try (Connection connection = open();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table if not exists item"
                        + " (position integer, value integer, total integer, instance text, token integer)");
            }
        }

        private Connection open() throws SQLException {
            return DriverManager.getConnection(url);
        }

        Change last() throws SQLException {
            try (Connection connection = open()) {
                return last(connection);
            }
        }

        private static Change last(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "select position, value, total from item order by rowid desc limit 1")) {
                return row.next() ? new Change(row.getLong(1), row.getLong(2), row.getLong(3)) : new Change(0, 0, 0);
            }
        }

        /**
         * Appends those of the known items that come after the last one.
         *
         * @throws FencedOutException if a later leader has written
         * @throws IllegalStateException if the item that must come next is not known
         */
        void append(NavigableMap<Long, Change> known, String instance, FencingToken token) throws SQLException {
            try (Connection transaction = open()) { // SQLite rolls back what is closed before it is committed
                transaction.setAutoCommit(false);
                fence.check(transaction, token);
                long position = last(transaction).position();
                try (PreparedStatement insert =
                        transaction.prepareStatement("insert into item values (?, ?, ?, ?, ?)")) {
                    for (Change change : known.values()) {
                        if (change.position() <= position) {
                            continue;
                        }
                        if (change.position() > position + 1) {
                            throw new IllegalStateException("item " + (position + 1) + " is not known");
                        }
                        position = change.position();
                        insert.setLong(1, change.position());
                        insert.setLong(2, change.value());
                        insert.setLong(3, change.total());
                        insert.setString(4, instance);
                        insert.setLong(5, token.value());
                        insert.executeUpdate();
                    }
                }
                transaction.commit();
            }
        }

        /**
         * Prints a line for each term, then what is wrong with the whole.
         */
        void check() throws SQLException {
            try (Connection connection = open();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select * from item order by rowid")) {
                Change last = new Change(0, 0, 0);
                long token = 0;
                long faults = 0;
                while (rows.next()) {
                    Change next = new Change(rows.getLong(1), rows.getLong(2), rows.getLong(3));
                    boolean follows = next.position() == last.position() + 1
                            && next.total() == last.total() + next.value()
                            && rows.getLong(5) >= token;
                    faults += follows ? 0 : 1;
                    if (rows.getLong(5) != token) {
                        System.out.println(rows.getString(4) + " from item " + next.position() + " on");
                    }
                    token = rows.getLong(5);
                    last = next;
                }
                System.out.println("items: " + last.position() + ", out of order, missing or repeated: " + faults);
            }
        }
    }
}
