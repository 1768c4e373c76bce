package dev.tenure.spring;

import dev.tenure.jdbc.JdbcLeaseStore;
import dev.tenure.redis.RedisLeaseStore;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Which clients the application has.
 */
final class StoreConfigurations {
    private StoreConfigurations() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({JdbcLeaseStore.class, DataSource.class})
    static class Jdbc {
        @Bean
        @ConditionalOnSingleCandidate(DataSource.class)
        StoreCandidate tenureJdbcCandidate(DataSource dataSource, TenureProperties properties) {
            return new StoreCandidate(
                    "jdbc",
                    "DataSource",
                    () -> JdbcLeaseStore.using(dataSource, properties.store().optionsWith(properties.namespace())));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisLeaseStore.class, AbstractRedisClient.class})
    static class Redis {
        @Bean
        @ConditionalOnSingleCandidate(AbstractRedisClient.class)
        StoreCandidate tenureRedisCandidate(AbstractRedisClient client, TenureProperties properties) {
            return candidate("Redis client", client, properties);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisLeaseStore.class, AbstractRedisClient.class, LettuceConnectionFactory.class})
    static class SpringDataRedis {
        @Bean
        @ConditionalOnMissingBean(AbstractRedisClient.class)
        @ConditionalOnSingleCandidate(LettuceConnectionFactory.class)
        StoreCandidate tenureSpringDataRedisCandidate(LettuceConnectionFactory factory, TenureProperties properties) {
            return new StoreCandidate("redis", "LettuceConnectionFactory", () -> {
                AbstractRedisClient client = factory.getNativeClient();
                if (client == null) {
                    throw new IllegalArgumentException("the LettuceConnectionFactory has no client: it is not started");
                }
                return candidate("LettuceConnectionFactory", client, properties)
                        .open()
                        .get();
            });
        }
    }

    private static StoreCandidate candidate(String what, AbstractRedisClient client, TenureProperties properties) {
        return new StoreCandidate("redis", what, () -> {
            RedisLeaseStore.Builder builder;
            if (client instanceof RedisClusterClient cluster) {
                builder = RedisLeaseStore.using(cluster);
            } else if (client instanceof RedisClient single) {
                builder = RedisLeaseStore.using(single);
            } else {
                throw new IllegalArgumentException(
                        "the client must be a RedisClient or a RedisClusterClient: " + client.getClass());
            }
            return builder.options(properties.store().optionsWith(properties.namespace()))
                    .build();
        });
    }
}
