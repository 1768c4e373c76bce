package dev.tenure.spring;

import dev.tenure.FencingToken;
import dev.tenure.Lease;
import java.io.IOException;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Sends the fencing token of {@link CurrentLease} along with each request, so that the receiver can refuse a leader whose
 * term is over. To be added to a {@code RestClient} or {@code RestTemplate} by hand: not every server is to see it.
 *
 * <p>Outside of leader work the request goes out as it is. On a lease that is neither held nor draining it does not go
 * out: {@link dev.tenure.LeadershipLostException}.
 */
public final class FencingTokenInterceptor implements ClientHttpRequestInterceptor {
    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        Lease lease = CurrentLease.find().orElse(null);
        if (lease != null) {
            if (lease.remaining().isZero()) {
                lease.ensureHeld();
            }
            request.getHeaders().set(FencingToken.HEADER, lease.fencingToken().toHeader());
        }
        return execution.execute(request, body);
    }
}
