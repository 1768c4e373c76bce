package dev.tenure.channel;

import dev.tenure.Leadership;
import dev.tenure.Lease;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A leadership as applications wrap them: each lease that it gives is a new object, and each call of it, or of a lease of
 * it, is told first, and fails if that does.
 */
final class WrappingLeadership implements InvocationHandler {
    private final Object wrapped;
    private final Consumer<String> before;

    private WrappingLeadership(Object wrapped, Consumer<String> before) {
        this.wrapped = wrapped;
        this.before = before;
    }

    /**
     * @param before is told the name of the method
     */
    static Leadership of(Leadership wrapped, Consumer<String> before) {
        return wrap(Leadership.class, wrapped, before);
    }

    private static <W> W wrap(Class<W> type, W wrapped, Consumer<String> before) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, new WrappingLeadership(wrapped, before)));
    }

    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("equals")) {
            return proxy == arguments[0];
        }
        if (method.getName().equals("hashCode")) {
            return System.identityHashCode(proxy);
        }
        before.accept(method.getName());
        try {
            Object answer = method.invoke(wrapped, arguments);
            return answer instanceof Optional<?> some && some.orElse(null) instanceof Lease lease
                    ? Optional.of(wrap(Lease.class, lease, before))
                    : answer;
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
