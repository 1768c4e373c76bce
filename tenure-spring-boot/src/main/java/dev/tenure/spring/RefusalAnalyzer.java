package dev.tenure.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Tells a refused start without a stack trace.
 */
final class RefusalAnalyzer extends AbstractFailureAnalyzer<RefusedStartException> {
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, RefusedStartException cause) {
        return new FailureAnalysis(cause.what(), cause.action(), rootFailure);
    }
}
