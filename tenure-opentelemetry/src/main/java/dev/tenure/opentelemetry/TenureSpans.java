package dev.tenure.opentelemetry;

import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.ElectionMonitor;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Spans of the elections of one Tenure, for {@code Tenure.builder(…).monitor(…)}. Thread-safe.
 *
 * <p>Each span is the root of a trace of its own and links to what it belongs to: {@link #TERM_BEGIN} to the
 * {@link #ACQUIRE} that was granted, all others of a term to its {@link #TERM_BEGIN}, which is exported when the term
 * begins; {@link #TERM} only when it ends. What the application ended is no error.
 *
 * <p>No thread's current context is changed, and none is taken as parent: leader work runs in no span of this. Spans are
 * made when the Tenure tells of an event: they end at that time, by the wall clock, and are as long as the engine measured
 * on its own clock.
 */
public final class TenureSpans implements ElectionMonitor {
    /**
     * A request for the lease. Of denials in a row only the first has one.
     */
    public static final String ACQUIRE = "tenure.acquire";
    /**
     * The time that the role can have been without a holder, before a term that follows another holder's: see
     * {@link ElectionMonitor#tookOver}.
     */
    public static final String HANDOVER = "tenure.handover";
    /**
     * An instant: a term begins.
     */
    public static final String TERM_BEGIN = "tenure.term.begin";
    /**
     * A term, from its begin until nothing new may begin.
     */
    public static final String TERM = "tenure.term";
    /**
     * A renewal that failed or was refused.
     */
    public static final String RENEW = "tenure.renew";
    /**
     * From the end of a term until its record was given back.
     */
    public static final String DRAIN = "tenure.drain";

    public static final AttributeKey<String> ROLE = AttributeKey.stringKey("tenure.role");
    /**
     * Absent from a term without coordination.
     */
    public static final AttributeKey<Long> TOKEN = AttributeKey.longKey("tenure.token");
    /**
     * {@link Lease#term()}.
     */
    public static final AttributeKey<Long> TERM_NUMBER = AttributeKey.longKey("tenure.term");
    /**
     * {@link LossReason#label()}.
     */
    public static final AttributeKey<String> REASON = AttributeKey.stringKey("tenure.reason");
    /**
     * {@code granted}, {@code denied}, {@code failed}; {@code refused}, {@code failed}; {@code released},
     * {@code not_holder}, {@code left_to_expire}.
     */
    public static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("tenure.outcome");

    private static final Instrumentation BUILT = Instrumentation.ofTheBuild();

    /**
     * Name of the instrumentation scope: the artifact's.
     */
    public static final String INSTRUMENTATION_NAME = BUILT.name();
    /**
     * Version of the instrumentation scope: the artifact's.
     */
    public static final String INSTRUMENTATION_VERSION = BUILT.version();

    private final Tracer tracer;
    private final InstantSource clock;
    private final Set<String> denied = ConcurrentHashMap.newKeySet();
    private final Map<String, Attempt> granted = new ConcurrentHashMap<>();
    private final Map<Lease, TermSpans> terms = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * The request that a term rests on.
     */
    private record Attempt(Instant from, Instant to) {}

    public TenureSpans(OpenTelemetry openTelemetry) {
        this(openTelemetry, InstantSource.system());
    }

    TenureSpans(OpenTelemetry openTelemetry, InstantSource clock) {
        this.clock = clock;
        tracer = openTelemetry
                .tracerBuilder(INSTRUMENTATION_NAME)
                .setInstrumentationVersion(INSTRUMENTATION_VERSION)
                .build();
    }

    @Override
    public void acquireFinished(String role, Outcome outcome, Duration took) {
        Instant now = clock.instant();
        Attempt attempt = new Attempt(now.minus(took), now);
        switch (outcome) {
            case SUCCEEDED -> {
                denied.remove(role);
                granted.put(role, attempt); // its span is made when its token is known
            }
            case REFUSED -> {
                if (denied.add(role)) {
                    acquire(role, attempt, "denied").end(now);
                }
            }
            case FAILED -> {
                denied.remove(role);
                acquire(role, attempt, "failed").setStatus(StatusCode.ERROR).end(now);
            }
        }
    }

    private Span acquire(String role, Attempt attempt, String outcome) {
        return root(ACQUIRE, role, attempt.from())
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute(OUTCOME, outcome)
                .startSpan();
    }

    @Override
    public void elected(Lease lease) {
        Instant now = clock.instant();
        SpanBuilder starting = of(lease, TERM_BEGIN, now, null);
        Attempt attempt = granted.remove(lease.role());
        if (attempt != null) {
            Span acquired = acquire(lease.role(), attempt, "granted");
            token(lease).ifPresent(token -> acquired.setAttribute(TOKEN, token));
            acquired.end(attempt.to());
            starting.addLink(acquired.getSpanContext());
        }
        Span begin = starting.startSpan();
        begin.end(now);
        Span term = of(lease, TERM, now, begin.getSpanContext()).startSpan();
        terms.put(lease, new TermSpans(begin.getSpanContext(), term, now));
    }

    @Override
    public void tookOver(Lease lease, Duration vacant) {
        Instant now = clock.instant();
        of(lease, HANDOVER, now.minus(vacant), begin(lease)).startSpan().end(now);
    }

    @Override
    public void renewFinished(Lease lease, Outcome outcome, Duration took, Duration slack) {
        if (outcome == Outcome.SUCCEEDED) {
            return;
        }
        Instant now = clock.instant();
        of(lease, RENEW, now.minus(took), begin(lease))
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute(OUTCOME, outcome == Outcome.REFUSED ? "refused" : "failed")
                .startSpan()
                .setStatus(StatusCode.ERROR)
                .end(now);
    }

    @Override
    public void lost(Lease lease, LossReason reason, Duration held) {
        TermSpans spans = terms.get(lease);
        if (spans != null) {
            spans.term().setAttribute(REASON, reason.label());
            if (!reason.isVoluntary()) {
                spans.term().setStatus(StatusCode.ERROR);
            }
            spans.term().end(spans.since().plus(held));
        }
    }

    @Override
    public void released(Lease lease, ReleaseOutcome outcome, Duration drained) {
        Instant now = clock.instant();
        SpanBuilder drain = of(lease, DRAIN, now.minus(drained), begin(lease))
                .setAttribute(OUTCOME, outcome.name().toLowerCase(Locale.ROOT));
        lease.lossReason().ifPresent(reason -> drain.setAttribute(REASON, reason.label()));
        Span span = drain.startSpan();
        if (outcome == ReleaseOutcome.LEFT_TO_EXPIRE) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end(now);
    }

    @Override
    public void stopped(String role) {
        denied.remove(role);
        granted.remove(role);
    }

    @Override
    public void closed() {
        terms.clear();
    }

    private SpanContext begin(Lease lease) {
        TermSpans spans = terms.get(lease);
        return spans == null ? SpanContext.getInvalid() : spans.begin();
    }

    private SpanBuilder root(String name, String role, Instant from) {
        return tracer.spanBuilder(name).setNoParent().setStartTimestamp(from).setAttribute(ROLE, role);
    }

    private SpanBuilder of(Lease lease, String name, Instant from, @Nullable SpanContext begin) {
        SpanBuilder span = root(name, lease.role(), from).setAttribute(TERM_NUMBER, lease.term());
        token(lease).ifPresent(token -> span.setAttribute(TOKEN, token));
        if (begin != null && begin.isValid()) {
            span.addLink(begin);
        }
        return span;
    }

    private static Optional<Long> token(Lease lease) {
        try {
            return Optional.of(lease.fencingToken().value());
        } catch (IllegalStateException uncoordinated) {
            return Optional.empty();
        }
    }
}
