/**
 * A bounded channel that only the leader fills.
 */
@NullMarked
package dev.tenure.channel;

import org.jspecify.annotations.NullMarked;
