// expect: [NullAway] incompatible types
package dev.tenure.canary;

import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

@NullMarked
final class NullableElement {
    private NullableElement() {}

    static List<String> names(List<@Nullable String> names) {
        return names;
    }
}
