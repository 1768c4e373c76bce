// expect: [ReturnValueIgnored]
package dev.tenure.canary;

final class BugPattern {
    private BugPattern() {}

    static void trim(String text) {
        text.strip();
    }
}
