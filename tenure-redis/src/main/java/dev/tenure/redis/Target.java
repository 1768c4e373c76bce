package dev.tenure.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a URL and its options lead.
 *
 * @param uris one, but for a Cluster, where they are the first nodes to ask
 * @param where for people; without secrets
 */
record Target(
        String where,
        boolean isCluster,
        List<RedisURI> uris,
        @Nullable SslOptions tls,
        RedisOptions options) {}
