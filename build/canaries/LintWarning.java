// expect: -Werror
package dev.tenure.canary;

import java.util.List;

final class LintWarning {
    private LintWarning() {}

    static int size(List names) {
        return names.size();
    }
}
