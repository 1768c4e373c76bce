package dev.tenure.verification.simulation;

/**
 * What the store granted last under a key, as the checkers keep book of it beside the store.
 *
 * @param end by the store's clock
 * @param revoked whether an operator took it away, so that its end stands and nobody renews it
 * @param stray whether a request granted it that came late or twice
 * @param stepped by how much the store's clock was set forward since it was granted or prolonged
 */
record Grant(String incarnation, long token, long end, boolean revoked, boolean stray, long stepped, long since) {

    Grant prolonged(long to, boolean byStray) {
        return new Grant(incarnation, token, to, revoked, stray || byStray, 0, since);
    }

    Grant taken() {
        return new Grant(incarnation, token, end, true, stray, stepped, since);
    }

    Grant stepped(long by) {
        return new Grant(incarnation, token, end, revoked, stray, Math.max(0, stepped + by), since);
    }

    String id() {
        return incarnation + '#' + token;
    }

    boolean is(String otherIncarnation, long otherToken) {
        return token == otherToken && incarnation.equals(otherIncarnation);
    }
}
