/**
 * Leases and fences in Redis or Valkey.
 */
@NullMarked
package dev.tenure.redis;

import org.jspecify.annotations.NullMarked;
