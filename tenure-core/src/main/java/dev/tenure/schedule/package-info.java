/**
 * Schedules that run on the leader only.
 */
@NullMarked
package dev.tenure.schedule;

import org.jspecify.annotations.NullMarked;
