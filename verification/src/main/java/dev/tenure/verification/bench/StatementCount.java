package dev.tenure.verification.bench;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counts the statements that go through a data source.
 */
final class StatementCount {
    private static final Set<String> EXECUTING =
            Set.of("execute", "executeQuery", "executeUpdate", "executeBatch", "executeLargeUpdate");

    private final AtomicLong statements = new AtomicLong();

    long statements() {
        return statements.get();
    }

    DataSource counting(DataSource source) {
        return proxy(DataSource.class, source);
    }

    private <T> T proxy(Class<T> type, Object target) {
        InvocationHandler handler = (self, method, arguments) -> {
            if (target instanceof Statement && EXECUTING.contains(method.getName())) {
                statements.incrementAndGet();
            }
            try {
                return wrapped(method.getReturnType(), method.invoke(target, arguments));
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause() == null ? thrown : thrown.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private @Nullable Object wrapped(Class<?> type, @Nullable Object result) {
        boolean counted = type == Connection.class || Statement.class.isAssignableFrom(type);
        return result != null && counted ? proxy(type, result) : result;
    }
}
