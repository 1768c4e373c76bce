package dev.tenure.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.time.Instant;

/**
 * The spans of a term that others need.
 *
 * @param begin what those of the term link to
 * @param term ends with the term
 * @param since its start
 */
record TermSpans(SpanContext begin, Span term, Instant since) {}
