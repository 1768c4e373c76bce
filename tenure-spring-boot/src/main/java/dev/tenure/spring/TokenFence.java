package dev.tenure.spring;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the highest token of each role and refuses lower ones.
 *
 * <p>A request that was let in is not stopped when a higher token comes a moment later: what it writes to a database is
 * guarded by a {@code JdbcFence} in the writing transaction, what it does elsewhere by nothing.
 */
@FunctionalInterface
public interface TokenFence {

    /**
     * Compares the token with the highest of its role, and raises that one. Equal tokens pass.
     *
     * @throws FencedOutException if a higher one was accepted
     * @throws RuntimeException if it cannot be told, so that the request must not pass
     */
    void check(FencingToken token);

    /**
     * In this process's memory: starts anew with every process, and knows nothing of other instances.
     */
    static TokenFence inMemory() {
        Map<String, Long> highest = new ConcurrentHashMap<>();
        return token -> {
            long accepted = highest.merge(token.role(), token.value(), Math::max);
            if (accepted > token.value()) {
                throw new FencedOutException(token, accepted);
            }
        };
    }
}
