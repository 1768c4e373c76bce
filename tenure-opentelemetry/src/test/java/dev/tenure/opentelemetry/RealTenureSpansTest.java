package dev.tenure.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectionOptions.WhenUncoordinated;
import dev.tenure.LeaseStores;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import dev.tenure.spi.ElectionMonitor;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * On threads and in real time.
 */
@Timeout(120)
class RealTenureSpansTest {
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();

    private Tenure.Builder traced(dev.tenure.spi.LeaseStore store, CountDownLatch closed) {
        TenureSpans spans = new TenureSpans(telemetry);
        return Tenure.builder(store)
                .monitor(new ElectionMonitor() {})
                .monitor(spans)
                .monitor(new ElectionMonitor() {
                    @Override
                    public void closed() {
                        closed.countDown();
                    }
                });
    }

    @Test
    void aScopeIsTraced() throws InterruptedException {
        Instant before = Instant.now();
        try (Tenure tenure =
                        traced(LeaseStores.inMemory(), new CountDownLatch(1)).build();
                OwnedLease lease = tenure.acquire("nightly-report")) {
            lease.ensureHeld();
        }
        await(TenureSpans.DRAIN);
        SpanData term = await(TenureSpans.TERM);
        assertThat(term.getAttributes().get(TenureSpans.REASON)).isEqualTo("released");
        assertThat(term.getEndEpochNanos()).isGreaterThanOrEqualTo(term.getStartEpochNanos());
        assertThat(Instant.ofEpochSecond(0, term.getStartEpochNanos())).isAfterOrEqualTo(before.minusSeconds(1));
        assertThat(exporter.getFinishedSpanItems())
                .extracting(SpanData::getName)
                .containsExactlyInAnyOrder(
                        TenureSpans.ACQUIRE, TenureSpans.TERM_BEGIN, TenureSpans.TERM, TenureSpans.DRAIN);
    }

    @Test
    void aTermWithoutCoordinationHasNoToken() throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        try (Tenure tenure = traced(LeaseStores.uncoordinated(), closed)
                .defaults(options -> options.whenUncoordinated(WhenUncoordinated.LEAD))
                .build()) {
            tenure.elector("billing").start().awaitLeadership();
        }
        assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(await(TenureSpans.TERM).getAttributes().get(TenureSpans.TOKEN))
                .isNull();
        assertThat(await(TenureSpans.TERM_BEGIN).getLinks()).isEmpty();
    }

    private SpanData await(String name) throws InterruptedException {
        Object pause = new Object();
        synchronized (pause) {
            while (true) {
                List<SpanData> found = exporter.getFinishedSpanItems().stream()
                        .filter(span -> span.getName().equals(name))
                        .toList();
                if (!found.isEmpty()) {
                    return found.get(0);
                }
                pause.wait(5);
            }
        }
    }
}
