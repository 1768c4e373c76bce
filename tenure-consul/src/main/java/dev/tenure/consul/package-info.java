/**
 * Leases in Consul.
 */
@NullMarked
package dev.tenure.consul;

import org.jspecify.annotations.NullMarked;
