// expect: [NullAway] dereferenced expression
package dev.tenure.canary;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

@NullMarked
final class NullDereference {
    private NullDereference() {}

    static int length(@Nullable String text) {
        return text.length();
    }
}
