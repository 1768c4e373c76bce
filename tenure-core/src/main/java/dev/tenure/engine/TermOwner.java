package dev.tenure.engine;

/**
 * Whom a handle tells.
 */
interface TermOwner {
    Time time();

    Users users();

    /**
     * Somebody found the deadline passed.
     */
    void sealed(long term);

    /**
     * After the end of the term, all of its user code has returned.
     */
    void userCodeEnded(long term);
}
