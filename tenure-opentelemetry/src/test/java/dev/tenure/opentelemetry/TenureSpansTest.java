package dev.tenure.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectionOptions;
import dev.tenure.LeaderElector;
import dev.tenure.LossReason;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.ScriptedStore;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * In a virtual world: lease 10 s, renewed every 3 s, margin 1 s, retried after 1 s.
 */
class TenureSpansTest {
    private static final String ROLE = "billing";
    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();
    private final OpenTelemetry telemetry =
            OpenTelemetrySdk.builder().setTracerProvider(provider).build();
    private final VirtualWorld world = VirtualWorld.create();
    private final TenureSpans spans = new TenureSpans(telemetry, () -> BEGINNING.plus(world.elapsed()));

    @AfterEach
    void close() {
        world.close();
        world.checker().verify();
        provider.close();
    }

    private static void options(ElectionOptions.Builder options) {
        options.lease(Duration.ofSeconds(10))
                .renewInterval(Duration.ofSeconds(3))
                .safetyMargin(Duration.ofSeconds(1))
                .retryInterval(Duration.ofSeconds(1))
                .retryJitter(Duration.ZERO);
    }

    private VirtualTenure traced() {
        return world.processWith(
                "a", setup -> setup.options(TenureSpansTest::options).monitor(spans));
    }

    private ScriptedStore store() {
        return world.store();
    }

    private LeaderElector leader(VirtualTenure process) {
        LeaderElector elector = process.stand(ROLE);
        world.settle();
        assertThat(elector.isLeader()).isTrue();
        return elector;
    }

    private void advanceTo(double seconds) {
        world.advance(Duration.ofNanos(Math.round(seconds * 1e9)).minus(world.elapsed()));
    }

    private List<SpanData> all(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private SpanData only(String name) {
        List<SpanData> found = all(name);
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }

    private static Duration start(SpanData span) {
        return Duration.between(BEGINNING, Instant.EPOCH.plusNanos(span.getStartEpochNanos()));
    }

    private static Duration end(SpanData span) {
        return Duration.between(BEGINNING, Instant.EPOCH.plusNanos(span.getEndEpochNanos()));
    }

    private static void assertLinked(SpanData from, SpanData to) {
        assertThat(from.getLinks())
                .extracting(LinkData::getSpanContext)
                .extracting(SpanContext::getSpanId)
                .containsExactly(to.getSpanContext().getSpanId());
    }

    @Test
    void R076_R112_B80_aTermIsToldAtItsBeginAndAsAWholeAtItsEnd() {
        LeaderElector elector = leader(traced());
        long token = elector.lease().orElseThrow().fencingToken().value();
        advanceTo(4);
        assertThat(all(TenureSpans.TERM)).isEmpty();
        SpanData begin = only(TenureSpans.TERM_BEGIN);
        SpanData acquire = only(TenureSpans.ACQUIRE);
        assertLinked(begin, acquire);
        assertThat(acquire.getAttributes().get(TenureSpans.OUTCOME)).isEqualTo("granted");
        assertThat(acquire.getAttributes().get(TenureSpans.TOKEN)).isEqualTo(token);
        elector.resign();
        world.settle();
        SpanData term = only(TenureSpans.TERM);
        assertLinked(term, begin);
        assertThat(start(term)).isEqualTo(Duration.ZERO);
        assertThat(end(term)).isEqualTo(Duration.ofSeconds(4));
        assertThat(term.getAttributes().get(TenureSpans.ROLE)).isEqualTo(ROLE);
        assertThat(term.getAttributes().get(TenureSpans.TOKEN)).isEqualTo(token);
        assertThat(term.getAttributes().get(TenureSpans.TERM_NUMBER)).isEqualTo(1L);
        assertThat(term.getAttributes().get(TenureSpans.REASON)).isEqualTo("resigned");
        assertThat(term.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    void R113_aTermThatTheStoreEndedIsAnErrorWithItsReason() {
        leader(traced());
        store().on(Kind.RENEW).once().answer(RenewResult.SESSION_GONE);
        advanceTo(3);
        SpanData term = only(TenureSpans.TERM);
        assertThat(term.getAttributes().get(TenureSpans.REASON)).isEqualTo(LossReason.SESSION_EXPIRED.label());
        assertThat(term.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        SpanData renew = only(TenureSpans.RENEW);
        assertThat(renew.getAttributes().get(TenureSpans.OUTCOME)).isEqualTo("refused");
        assertLinked(renew, only(TenureSpans.TERM_BEGIN));
    }

    @Test
    void renewalsThatFailAreSpansAndOthersAreNot() {
        leader(traced());
        advanceTo(3);
        assertThat(all(TenureSpans.RENEW)).isEmpty();
        store().on(Kind.RENEW).once().loseRequest();
        advanceTo(8.5);
        SpanData renew = only(TenureSpans.RENEW);
        assertThat(start(renew)).isEqualTo(Duration.ofSeconds(6));
        assertThat(end(renew)).isEqualTo(Duration.ofMillis(8_400));
        assertThat(renew.getAttributes().get(TenureSpans.OUTCOME)).isEqualTo("failed");
        assertThat(renew.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(all(TenureSpans.TERM)).isEmpty();
    }

    @Test
    void ofDenialsInARowOnlyTheFirstIsASpan() {
        VirtualTenure b = world.process("b", TenureSpansTest::options);
        leader(b);
        traced().stand(ROLE);
        advanceTo(60);
        assertThat(store().calls(Kind.ACQUIRE, "a").size()).isGreaterThan(3);
        assertThat(only(TenureSpans.ACQUIRE).getAttributes().get(TenureSpans.OUTCOME))
                .isEqualTo("denied");
        store().on(Kind.ACQUIRE).once().fail(() -> new StoreUnavailableException("down", null));
        advanceTo(100);
        assertThat(all(TenureSpans.ACQUIRE))
                .extracting(span -> span.getAttributes().get(TenureSpans.OUTCOME))
                .containsExactly("denied", "failed", "denied");
    }

    @Test
    void aHandOverIsTheTimeWithoutAHolder() {
        LeaderElector first = leader(world.process("b", TenureSpansTest::options));
        traced().stand(ROLE);
        advanceTo(4);
        first.stop();
        advanceTo(5);
        SpanData handover = only(TenureSpans.HANDOVER);
        assertThat(start(handover)).isEqualTo(Duration.ofSeconds(4));
        assertThat(end(handover)).isBetween(Duration.ofSeconds(4), Duration.ofMillis(4_100));
        assertLinked(handover, only(TenureSpans.TERM_BEGIN));
    }

    @Test
    void theDrainIsFromTheEndOfTheTermUntilTheRelease() {
        VirtualTenure a = traced();
        LeaderElector elector = a.stand(ROLE, lease -> {
            while (!lease.lossReason().isPresent()) {
                world.pass(Duration.ofMillis(500));
            }
            world.pass(Duration.ofSeconds(2));
        });
        advanceTo(4);
        elector.stop();
        advanceTo(10);
        SpanData drain = only(TenureSpans.DRAIN);
        assertThat(start(drain)).isEqualTo(Duration.ofSeconds(4));
        assertThat(end(drain)).isBetween(Duration.ofSeconds(6), Duration.ofMillis(6_500));
        assertThat(drain.getAttributes().get(TenureSpans.OUTCOME)).isEqualTo("released");
        assertThat(drain.getAttributes().get(TenureSpans.REASON)).isEqualTo("stopped");
        assertLinked(drain, only(TenureSpans.TERM_BEGIN));
        assertThat(end(only(TenureSpans.TERM))).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void everySpanIsARootAndNoThreadKeepsAContext() {
        List<Span> seenByCode = new ArrayList<>();
        VirtualTenure a = world.processWith(
                "a",
                setup -> setup.options(TenureSpansTest::options).monitor(spans).metadata(() -> {
                    seenByCode.add(Span.current());
                    return java.util.Map.of();
                }));
        Span outer = telemetry.getTracer("test").spanBuilder("outer").startSpan();
        LeaderElector elector;
        try (Scope current = outer.makeCurrent()) {
            elector = a.stand(ROLE, lease -> {
                seenByCode.add(Span.current());
                while (!lease.lossReason().isPresent()) {
                    world.pass(Duration.ofMillis(500));
                }
            });
            world.settle();
            spans.acquireFinished("other", dev.tenure.spi.ElectionMonitor.Outcome.FAILED, Duration.ZERO);
            assertThat(Span.current()).isSameAs(outer);
        }
        advanceTo(2);
        elector.stop();
        advanceTo(4);
        outer.end();
        assertThat(seenByCode)
                .isNotEmpty()
                .allMatch(span -> !span.getSpanContext().isValid());
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
        assertThat(exporter.getFinishedSpanItems())
                .hasSizeGreaterThan(4)
                .allSatisfy(span ->
                        assertThat(span.getParentSpanContext().isValid()).isFalse());
        assertThat(exporter.getFinishedSpanItems().stream()
                        .map(SpanData::getTraceId)
                        .distinct())
                .hasSize(exporter.getFinishedSpanItems().size());
    }

    @Test
    void B20_nameAndVersionAreThoseOfTheBuild() {
        leader(traced());
        assertThat(System.getProperty("tenure.built.version")).isNotBlank();
        assertThat(exporter.getFinishedSpanItems()).isNotEmpty().allSatisfy(span -> {
            assertThat(span.getInstrumentationScopeInfo().getName())
                    .isEqualTo(System.getProperty("tenure.built.artifact"))
                    .isEqualTo(TenureSpans.INSTRUMENTATION_NAME);
            assertThat(span.getInstrumentationScopeInfo().getVersion())
                    .isEqualTo(System.getProperty("tenure.built.version"))
                    .isEqualTo(TenureSpans.INSTRUMENTATION_VERSION);
        });
    }
}
