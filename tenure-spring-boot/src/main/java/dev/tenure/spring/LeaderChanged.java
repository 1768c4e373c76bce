package dev.tenure.spring;

import dev.tenure.Leader;
import java.util.Optional;

/**
 * Application event: another instance leads a role, this one included, or none is known to. The first one after the start
 * tells the present state. What it says may be old by a lease.
 */
public record LeaderChanged(String role, Optional<Leader> leader) {}
