package dev.tenure.spring;

/**
 * When electors begin to stand.
 */
enum StartMode {
    /**
     * When the context has started, after every other lifecycle bean.
     */
    CONTEXT,
    /**
     * When the application first accepts traffic: after its runners.
     */
    READINESS,
    /**
     * When the application calls start().
     */
    MANUAL
}
