package dev.tenure.test;

/**
 * Keeps the package from being empty.
 */
final class Placeholder {
    private Placeholder() {}
}
