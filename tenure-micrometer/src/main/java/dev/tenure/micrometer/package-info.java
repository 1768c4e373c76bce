/**
 * Meters of elections: {@link dev.tenure.micrometer.TenureMeters} is given to a Tenure as its monitor.
 */
@NullMarked
package dev.tenure.micrometer;

import org.jspecify.annotations.NullMarked;
