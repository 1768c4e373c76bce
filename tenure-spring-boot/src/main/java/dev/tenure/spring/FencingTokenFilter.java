package dev.tenure.spring;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.log.LogLine;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses requests of leaders whose term is over: 412 if a higher token of the role was accepted, 400 if the header holds
 * no token of a role that is guarded, 428 if there is none and one is required, 503 if the fence gives no answer; each
 * with a problem body ({@code application/problem+json}).
 *
 * <p>It believes the header. Whoever may send requests here can lock out all leaders of a role, by a token far above
 * theirs, until {@code JdbcFence.reset} puts it right: who that is is for the application's security to say.
 */
public final class FencingTokenFilter extends OncePerRequestFilter {
    private static final Logger LOG = LoggerFactory.getLogger(FencingTokenFilter.class);
    private static final int PRECONDITION_REQUIRED = 428;

    /**
     * No store grants it: what is above cannot be told apart in JSON.
     */
    private static final long HIGHEST = 1L << 53;

    private final TokenFence fence;
    private final Set<String> roles;
    private final boolean required;

    /**
     * @param roles whose tokens are accepted, so that nobody fills the fence with others
     * @param required whether a request without a token is refused
     */
    public FencingTokenFilter(TokenFence fence, Set<String> roles, boolean required) {
        this.fence = fence;
        this.roles = Set.copyOf(roles);
        this.required = required;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        List<String> headers = Collections.list(request.getHeaders(FencingToken.HEADER));
        if (headers.isEmpty() ? mayPass(response) : mayPass(headers, response)) {
            chain.doFilter(request, response);
        }
    }

    private boolean mayPass(HttpServletResponse response) throws IOException {
        if (required) {
            problem(response, PRECONDITION_REQUIRED, "the header " + FencingToken.HEADER + " is missing", "");
        }
        return !required;
    }

    private boolean mayPass(List<String> headers, HttpServletResponse response) throws IOException {
        FencingToken token = headers.size() == 1 ? parse(headers.get(0)) : null;
        if (token == null || !roles.contains(token.role())) {
            String detail =
                    "the header " + FencingToken.HEADER + " must hold one token, of a role that is guarded here";
            problem(response, HttpServletResponse.SC_BAD_REQUEST, detail, "");
            return false;
        }
        try {
            fence.check(token);
            return true;
        } catch (FencedOutException stale) {
            String members = ",\"role\":" + quoted(token.role()) + ",\"token\":" + token.value() + ",\"highest\":"
                    + stale.highest();
            problem(
                    response,
                    HttpServletResponse.SC_PRECONDITION_FAILED,
                    "a later term of this role was accepted",
                    members);
        } catch (RuntimeException unanswered) {
            LogLine.of(LOG, SpringEvent.FENCE_UNAVAILABLE)
                    .with("role", token.role())
                    .with("token", token.value())
                    .cause(unanswered)
                    .write();
            problem(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the fence gives no answer", "");
        }
        return false;
    }

    private static @Nullable FencingToken parse(String header) {
        try {
            FencingToken token = FencingToken.fromHeader(header.strip());
            return token.value() < HIGHEST ? token : null;
        } catch (IllegalArgumentException none) {
            return null;
        }
    }

    /**
     * @param members more of the body, each after a comma
     */
    private static void problem(HttpServletResponse response, int status, String detail, String members)
            throws IOException {
        String title = switch (status) {
            case HttpServletResponse.SC_BAD_REQUEST -> "Bad Request";
            case HttpServletResponse.SC_PRECONDITION_FAILED -> "Precondition Failed";
            case PRECONDITION_REQUIRED -> "Precondition Required";
            default -> "Service Unavailable";
        };
        String body = "{\"type\":\"about:blank\",\"title\":" + quoted(title) + ",\"status\":" + status + ",\"detail\":"
                + quoted(detail) + members + "}";
        response.setStatus(status);
        response.setContentType("application/problem+json");
        response.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", c));
            } else {
                json.append((char) c);
            }
        });
        return json.append('"').toString();
    }
}
