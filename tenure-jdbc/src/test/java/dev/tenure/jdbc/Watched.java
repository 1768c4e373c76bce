package dev.tenure.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A data source that counts the statements which are executed through it, may let some fail, and notes how each
 * connection was when it was given back.
 */
final class Watched {

    /**
     * Fails a statement, by its number from 1, before it is executed.
     */
    @FunctionalInterface
    interface Fault {
        void before(int number) throws SQLException;
    }

    private final DataSource inner;
    private final AtomicInteger executed = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final List<String> states = Collections.synchronizedList(new ArrayList<>());
    private volatile Fault fault = number -> {};

    Watched(DataSource inner) {
        this.inner = inner;
    }

    DataSource dataSource() {
        return proxy(DataSource.class, inner, this::connecting);
    }

    int executed() {
        return executed.get();
    }

    /**
     * Of connections that were not given back.
     */
    int open() {
        return open.get();
    }

    List<String> statesAtClose() {
        return states;
    }

    void failing(Fault other) {
        fault = other;
    }

    private Object connecting(Object target, Method method, Object[] arguments) throws Throwable {
        Object answer = call(target, method, arguments);
        if (!(answer instanceof Connection connection)) {
            return answer;
        }
        open.incrementAndGet();
        return proxy(Connection.class, connection, this::using);
    }

    private Object using(Object target, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("close")) {
            note((Connection) target);
        }
        Object answer = call(target, method, arguments);
        if (answer instanceof PreparedStatement statement) {
            return proxy(PreparedStatement.class, statement, this::executing);
        }
        return answer instanceof Statement statement ? proxy(Statement.class, statement, this::executing) : answer;
    }

    private void note(Connection connection) throws SQLException {
        if (!connection.isClosed()) {
            states.add("autocommit=" + connection.getAutoCommit() + " readonly=" + connection.isReadOnly()
                    + " isolation=" + connection.getTransactionIsolation() + " timeout="
                    + connection.getNetworkTimeout());
        }
        open.decrementAndGet();
    }

    private Object executing(Object target, Method method, Object[] arguments) throws Throwable {
        if (method.getName().startsWith("execute")) {
            fault.before(executed.incrementAndGet());
        }
        return call(target, method, arguments);
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /**
     * As an invocation handler, with the target before the rest.
     */
    @FunctionalInterface
    private interface Handler {
        Object handle(Object target, Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, T target, Handler handler) {
        InvocationHandler direct = (self, method, arguments) -> handler.handle(target, method, arguments);
        return type.cast(Proxy.newProxyInstance(Watched.class.getClassLoader(), new Class<?>[] {type}, direct));
    }
}
