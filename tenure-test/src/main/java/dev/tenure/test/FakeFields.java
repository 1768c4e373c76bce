package dev.tenure.test;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * The doubles in the fields of a test and of those around it.
 */
final class FakeFields {
    private static final int DEEPEST = 3;

    private FakeFields() {}

    static Collection<FakeElector> of(ExtensionContext context, boolean onlyStatic) {
        Set<FakeElector> found = new HashSet<>();
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            for (Field field : fields(instance.getClass())) {
                if (!onlyStatic || Modifier.isStatic(field.getModifiers())) {
                    Object value = ReflectionSupport.tryToReadFieldValue(field, instance)
                            .toOptional()
                            .orElse(null);
                    collect(value, found, DEEPEST);
                }
            }
        }
        return found;
    }

    private static List<Field> fields(Class<?> test) {
        return ReflectionSupport.findFields(
                test, field -> !field.getType().isPrimitive(), HierarchyTraversalMode.TOP_DOWN);
    }

    /**
     * A value, or what the JDK's own containers hold: others may do anything when they are looked at.
     */
    private static void collect(@Nullable Object value, Set<FakeElector> found, int depth) {
        if (value instanceof FakeElector fake) {
            found.add(fake);
        } else if (value == null || depth == 0) {
            return;
        } else if (value instanceof Object[] array) {
            Arrays.asList(array).forEach(each -> collect(each, found, depth - 1));
        } else if (value.getClass().getName().startsWith("java.util.")) {
            if (value instanceof Optional<?> optional) {
                collect(optional.orElse(null), found, depth - 1);
            } else if (value instanceof Map<?, ?> map) {
                collect(map.values().toArray(), found, depth);
            } else if (value instanceof Collection<?> collection) {
                collect(collection.toArray(), found, depth);
            } else if (value instanceof AtomicReference<?> reference) {
                collect(reference.get(), found, depth - 1);
            }
        }
    }
}
