package dev.tenure.verification.simulation;

import java.util.HashMap;
import java.util.Map;

/**
 * What the leaders of roles write to: a fenced resource, which compares tokens, and one that takes everything. I4 is
 * checked here, by an own account of what was accepted.
 */
final class Resources {
    private final World world;
    private final Map<String, Long> fence = new HashMap<>();
    private final Map<String, Long> accepted = new HashMap<>();
    private final Map<String, Long> written = new HashMap<>();

    Resources(World world) {
        this.world = world;
    }

    /**
     * Whether the fenced one accepts; the other always does.
     */
    boolean write(String role, long token) {
        boolean stale = token < written.getOrDefault(role, 0L);
        world.tally().count(stale ? "writes: stale" : "writes: current");
        if (stale) {
            world.tally().count("writes: stale, taken by the unfenced resource");
        }
        written.merge(role, token, Math::max);
        boolean taken = world.fault() == Fault.NO_TOKEN_COMPARE || token >= fence.getOrDefault(role, 0L);
        world.note("fence", taken ? "takes" : "refuses", role, token);
        if (taken) {
            fence.put(role, token);
            if (token < accepted.getOrDefault(role, 0L)) {
                world.violated("I4", role + " accepted " + token + " after " + accepted.get(role));
            }
            accepted.merge(role, token, Math::max);
        } else {
            world.tally().count("writes: stale, refused by the fence");
        }
        return taken;
    }
}
