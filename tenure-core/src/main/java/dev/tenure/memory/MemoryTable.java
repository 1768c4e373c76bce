package dev.tenure.memory;

import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one memory store. Each operation is one atomic step at one reading of the clock; a key that was granted
 * once stays, without its grant, for ever.
 */
final class MemoryTable {
    private final Map<String, MemoryKey> keys = new HashMap<>();
    private final LongSupplier nanos;
    private final Supplier<Instant> wall;
    private final TokenMode tokens;

    MemoryTable(LongSupplier nanos, Supplier<Instant> wall, TokenMode tokens) {
        this.nanos = nanos;
        this.wall = wall;
        this.tokens = tokens;
    }

    TokenMode tokens() {
        return tokens;
    }

    private MemoryKey key(String name) {
        return keys.computeIfAbsent(name, key -> new MemoryKey(key, tokens));
    }

    synchronized AcquireResult acquire(AcquireRequest request) {
        return key(request.key()).acquire(request, nanos.getAsLong(), wall.get());
    }

    synchronized boolean renew(Claim claim) {
        @Nullable MemoryKey key = keys.get(claim.key());
        return key != null && key.renew(claim, nanos.getAsLong());
    }

    synchronized boolean release(Claim claim) {
        return key(claim.key()).release(claim, nanos.getAsLong());
    }

    synchronized boolean revoke(String name) {
        @Nullable MemoryKey key = keys.get(name);
        return key != null && key.revoke(nanos.getAsLong());
    }

    synchronized boolean forceRelease(String name) {
        @Nullable MemoryKey key = keys.get(name);
        return key != null && key.forceRelease(nanos.getAsLong());
    }

    /**
     * Always a change.
     */
    synchronized boolean acceptToken(String name, long token) {
        key(name).acceptToken(token);
        return true;
    }

    synchronized Optional<LeaseRecord> read(String name) {
        return Optional.ofNullable(keys.get(name)).flatMap(key -> key.read(nanos.getAsLong()));
    }

    /**
     * By key.
     */
    synchronized List<LeaseRecord> list() {
        long now = nanos.getAsLong();
        return new TreeMap<>(keys)
                .values().stream().flatMap(key -> key.read(now).stream()).toList();
    }
}
