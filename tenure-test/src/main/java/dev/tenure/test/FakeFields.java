package dev.tenure.test;

import dev.tenure.Leadership;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * The doubles in the fields of a test and of those around it.
 */
final class FakeFields {
    private FakeFields() {}

    static Collection<FakeElector> of(ExtensionContext context, boolean onlyStatic) {
        Set<FakeElector> found = new HashSet<>();
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            for (Field field : fields(instance.getClass())) {
                if (!onlyStatic || Modifier.isStatic(field.getModifiers())) {
                    Object value = ReflectionSupport.tryToReadFieldValue(field, instance)
                            .toOptional()
                            .orElse(null);
                    if (value instanceof FakeElector fake) {
                        found.add(fake);
                    }
                }
            }
        }
        return found;
    }

    private static List<Field> fields(Class<?> test) {
        return ReflectionSupport.findFields(
                test, field -> Leadership.class.isAssignableFrom(field.getType()), HierarchyTraversalMode.TOP_DOWN);
    }
}
