// expect: reference not found
package dev.tenure.canary;

/** See {@link NoSuchType}. */
final class BrokenLink {
    private BrokenLink() {}
}
