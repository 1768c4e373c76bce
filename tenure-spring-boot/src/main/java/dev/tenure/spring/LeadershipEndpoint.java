package dev.tenure.spring;

import dev.tenure.LeaderElector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * {@code /actuator/leadership}: the roles of this instance. Writing to a role makes it step down, which needs
 * {@code management.endpoint.leadership.access=unrestricted}.
 */
@Endpoint(id = "leadership", defaultAccess = Access.READ_ONLY)
final class LeadershipEndpoint {
    private final Electors electors;
    private final RoleReport report;

    LeadershipEndpoint(Electors electors, RoleReport report) {
        this.electors = electors;
        this.report = report;
    }

    /**
     * @param role this one only; for names that a path cannot carry, with two slashes in a row for instance
     */
    @ReadOperation
    @Nullable
    Map<String, Object> leadership(@Nullable String role) {
        if (role != null) {
            return of(role);
        }
        Map<String, Object> roles = new LinkedHashMap<>();
        electors.all().forEach(elector -> roles.put(elector.role(), report.of(elector)));
        Map<String, Object> all = new LinkedHashMap<>();
        electors.instance().ifPresent(instance -> all.put("instance", instance));
        all.put("roles", roles);
        all.put("methods", report.methods());
        return all;
    }

    /**
     * Null, which is 404 over HTTP, if there is no such role.
     *
     * @param role between slashes, which belong to its name
     */
    @ReadOperation
    @Nullable
    Map<String, Object> ofRole(@Selector(match = Selector.Match.ALL_REMAINING) String... role) {
        return of(String.join("/", role));
    }

    private @Nullable Map<String, Object> of(String role) {
        return electors.of(role).map(report::of).orElse(null);
    }

    @WriteOperation
    WebEndpointResponse<Map<String, Object>> stepDown(String role) throws InterruptedException {
        return resign(role);
    }

    /**
     * @param role between slashes, which belong to its name
     */
    @WriteOperation
    WebEndpointResponse<Map<String, Object>> stepDownFrom(
            @Selector(match = Selector.Match.ALL_REMAINING) String... role) throws InterruptedException {
        return resign(String.join("/", role));
    }

    /**
     * Steps down and lets another instance go first; waits for the release as long as it may drain. 404 over HTTP if
     * there is no such role.
     */
    private WebEndpointResponse<Map<String, Object>> resign(String role) throws InterruptedException {
        LeaderElector elector = electors.of(role).orElse(null);
        if (elector == null) {
            Map<String, Object> none = Map.of("role", role, "error", "no role of this instance");
            return new WebEndpointResponse<>(none, WebEndpointResponse.STATUS_NOT_FOUND);
        }
        long longest = elector.describe().options().drainTimeout().toMillis()
                + 2 * elector.describe().options().callTimeout().toMillis();
        try {
            String outcome =
                    elector.resign().get(longest, TimeUnit.MILLISECONDS).name();
            return new WebEndpointResponse<>(Map.of("role", role, "outcome", outcome));
        } catch (ExecutionException | TimeoutException late) {
            return new WebEndpointResponse<>(Map.of("role", role, "outcome", "PENDING"));
        }
    }
}
