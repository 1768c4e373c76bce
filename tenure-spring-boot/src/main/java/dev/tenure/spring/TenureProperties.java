package dev.tenure.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application may set under {@code tenure}.
 *
 * @param namespace Begins every key in the store; what that looks like is the store's.
 * @param instance Name that others see as leader; host name and process id if not set.
 * @param metadata What others see beside the name, an address for instance.
 * @param start When electors begin to stand.
 * @param publishLeaderChanges Whether to publish LeaderChanged events, which needs a watch for each role.
 * @param defaults Options of every role.
 * @param roles Options by role; what is named here is a role.
 */
@ConfigurationProperties(prefix = "tenure", ignoreUnknownFields = false)
record TenureProperties(
        @Nullable String namespace,
        @Nullable String instance,
        @DefaultValue Map<String, String> metadata,
        @DefaultValue("context") StartMode start,
        @DefaultValue("true") boolean publishLeaderChanges,
        @DefaultValue Store store,
        @NestedConfigurationProperty @DefaultValue ElectionProperties defaults,
        @DefaultValue Map<String, ElectionProperties> roles,
        @DefaultValue Health health,
        @DefaultValue Metrics metrics,
        @DefaultValue Tracing tracing,
        @DefaultValue Fencing fencing) {

    /**
     * Where the elections are held.
     *
     * @param url URL of the store, redis://localhost or jdbc:postgresql://db/app for instance.
     * @param use Which client of the application to use if it has several; jdbc or redis.
     * @param user User at the store, for a URL.
     * @param password Password at the store, for a URL.
     * @param options Options of the store itself, by their names there.
     * @param bean Name of the bean, of the application's clients, to use if it has several.
     * @param embeddedAllowed Whether a store in this process's memory is accepted under a production profile.
     */
    record Store(
            @Nullable String url,
            @Nullable String user,
            @Nullable String password,
            @DefaultValue Map<String, String> options,
            @Nullable String use,
            @Nullable String bean,
            @DefaultValue("false") boolean embeddedAllowed) {

        /**
         * For a store over a client of the application, whose credentials are the client's.
         */
        Map<String, String> optionsWith(@Nullable String namespace) {
            Map<String, String> all = new LinkedHashMap<>(options);
            if (namespace != null) {
                all.put("namespace", namespace);
            }
            return all;
        }

        Map<String, String> optionsOfUrl(@Nullable String namespace) {
            Map<String, String> all = optionsWith(namespace);
            if (user != null) {
                all.put("user", user);
            }
            if (password != null) {
                all.put("password", password);
            }
            return all;
        }

        /**
         * Without the password.
         */
        @Override
        public String toString() {
            return "Store[use=" + use + ", bean=" + bean + "]";
        }
    }

    /**
     * What health says.
     *
     * @param unreachable Status while the store does not answer, which no restart mends; DOWN, OUT_OF_SERVICE, UNKNOWN or UP.
     */
    record Health(@DefaultValue("DOWN") Unreachable unreachable) {}

    /**
     * What health says of a store that does not answer.
     */
    enum Unreachable {
        DOWN,
        OUT_OF_SERVICE,
        UNKNOWN,
        UP
    }

    /**
     * Meters.
     *
     * @param enabled Whether elections are measured, if there is a registry and tenure-micrometer.
     */
    record Metrics(@DefaultValue("true") boolean enabled) {}

    /**
     * Spans.
     *
     * @param enabled Whether elections are traced, if there is an OpenTelemetry and tenure-opentelemetry.
     */
    record Tracing(@DefaultValue("true") boolean enabled) {}

    /**
     * Fencing of requests.
     */
    record Fencing(@DefaultValue Http http) {}

    /**
     * The servlet filter that refuses requests of leaders whose term is over.
     *
     * @param paths URL patterns that are guarded, /internal/* for instance; all if not set, but to be set if tokens are required.
     * @param roles Roles whose tokens are accepted; those of this application if not set.
     * @param required Whether a request without a token is refused, with 428.
     * @param fence What remembers the highest token, jdbc for all instances that share a database, memory for this one alone; the filter is there if it is set.
     * @param table Table of the fence in the database; tenure_fence if not set.
     */
    record Http(
            @DefaultValue List<String> paths,
            @DefaultValue List<String> roles,
            @DefaultValue("false") boolean required,
            @Nullable FenceKind fence,
            @Nullable String table) {}

    /**
     * What remembers the highest token.
     */
    enum FenceKind {
        MEMORY,
        JDBC
    }
}
