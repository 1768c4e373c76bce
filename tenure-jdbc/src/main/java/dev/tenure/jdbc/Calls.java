package dev.tenure.jdbc;

import dev.tenure.StoreException;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Carries out calls: finds a connection, tries again what is worth it within the call's time, and says in the store's
 * own words what went wrong.
 */
final class Calls {
    private static final int MOST_ATTEMPTS = 10;
    private static final Pattern SECRET = Pattern.compile("(?i)((?:password|passwd|pwd|secret)=)[^&;\\s]*");

    /**
     * What is done with a connection; may be done twice.
     */
    @FunctionalInterface
    interface Work<T> {
        T on(Session session) throws SQLException;
    }

    private final String name;
    private final String table;
    private final String ddl;
    private final Dialect dialect;
    private final Connections connections;

    Calls(String name, String table, String ddl, Dialect dialect, Connections connections) {
        this.name = name;
        this.table = table;
        this.ddl = ddl;
        this.dialect = dialect;
        this.connections = connections;
    }

    /**
     * @throws StoreException if it failed; whether the work had an effect is then unknown
     */
    <T> T call(Duration limit, boolean forRenewal, Work<T> work) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Deadline deadline = Deadline.in(limit.multipliedBy(19).dividedBy(20)); // who asks interrupts at the limit
        for (int attempt = 1; ; attempt++) {
            try {
                return once(deadline, forRenewal, work);
            } catch (Again again) {
                if (deadline.passed() || attempt >= MOST_ATTEMPTS) {
                    throw told(again.error);
                }
            } catch (SQLException failed) {
                throw told(failed);
            } catch (InterruptedException stop) {
                if (deadline.passed()) {
                    throw deadline.exceeded(name + " gave no answer");
                }
                throw stop;
            }
        }
    }

    private <T> T once(Deadline deadline, boolean forRenewal, Work<T> work)
            throws SQLException, InterruptedException, Again {
        Session session = connections.borrow(deadline, forRenewal);
        boolean sound = false;
        try {
            T answer = work.on(session.begin(deadline));
            sound = true;
            return answer;
        } catch (SQLException error) {
            Trouble trouble = dialect.trouble(error);
            sound = trouble.sound;
            if (trouble == Trouble.NO_TABLE) {
                sound = false;
                createTable(session);
                sound = true;
            }
            boolean diedWhileIdle = trouble == Trouble.BROKEN && session.isUsed();
            if (trouble == Trouble.CONFLICT || trouble == Trouble.NO_TABLE || diedWhileIdle) {
                throw new Again(error);
            }
            throw error;
        } finally {
            connections.giveBack(session, forRenewal, sound);
        }
    }

    /**
     * Many may do it at once, and it may be there by now.
     */
    private void createTable(Session session) throws SQLException, Again {
        try {
            session.inTransaction(dialect.begin(), () -> {
                for (String step : dialect.creating(ddl)) {
                    session.execute(step);
                }
                return true;
            });
        } catch (SQLException failed) {
            if (dialect.trouble(failed) == Trouble.CONFLICT) {
                throw new Again(failed);
            }
            throw failed;
        }
    }

    private StoreException told(SQLException error) {
        String message = name + " " + shown(error);
        return switch (dialect.trouble(error)) {
            case REJECTED, NO_TABLE -> new StoreRejectedException(message + " (table " + table + ")", cause(error));
            default -> new StoreUnavailableException(message, cause(error));
        };
    }

    private static String shown(SQLException error) {
        String state = error.getSQLState() == null ? "" : " (SQLState " + error.getSQLState() + ")";
        return "answered: " + hidden(String.valueOf(error.getMessage())) + state;
    }

    static String hidden(String message) {
        return SECRET.matcher(message).replaceAll("$1***");
    }

    /**
     * The error, unless its messages hold what must not be printed.
     */
    private static SQLException cause(SQLException error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            String message = String.valueOf(each.getMessage());
            if (!message.equals(hidden(message))) {
                return new SQLException(hidden(String.valueOf(error.getMessage())), error.getSQLState());
            }
        }
        return error;
    }

    void close() {
        connections.close();
    }

    /**
     * Worth another try.
     */
    private static final class Again extends Exception {
        private static final long serialVersionUID = 1;
        private final transient SQLException error;

        Again(SQLException error) {
            super(null, error, false, false);
            this.error = error;
        }
    }
}
