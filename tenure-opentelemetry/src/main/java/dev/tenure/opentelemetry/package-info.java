/**
 * Spans of elections: {@link dev.tenure.opentelemetry.TenureSpans} is given to a Tenure as its monitor.
 */
@NullMarked
package dev.tenure.opentelemetry;

import org.jspecify.annotations.NullMarked;
