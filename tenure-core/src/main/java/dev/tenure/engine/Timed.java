package dev.tenure.engine;

/**
 * Something that the loop looks at when its time has come. Only the loop's thread touches it.
 */
abstract class Timed implements Comparable<Timed> {
    private final long order;
    private long at = Time.NEVER;

    /**
     * @param order tells those apart that are due at the same time
     */
    Timed(long order) {
        this.order = order;
    }

    abstract void tick();

    /**
     * Renewals go out: join them if one is due soon.
     */
    void batch() {}

    long at() {
        return at;
    }

    void at(long time) {
        at = time;
    }

    @Override
    public final int compareTo(Timed other) {
        int byTime = Long.compare(at, other.at);
        return byTime != 0 ? byTime : Long.compare(order, other.order);
    }

    @Override
    public final boolean equals(Object other) {
        return this == other;
    }

    @Override
    public final int hashCode() {
        return Long.hashCode(order);
    }
}
