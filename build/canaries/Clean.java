// expect: success
package dev.tenure.canary;

/** What must pass: without it, a gate that refuses everything would look like one that works. */
final class Clean {
    private Clean() {}
}
