/**
 * Leases and fences in a database.
 */
@NullMarked
package dev.tenure.jdbc;

import org.jspecify.annotations.NullMarked;
