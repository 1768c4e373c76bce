package dev.tenure.spring;

import dev.tenure.jdbc.JdbcLeaseStore;
import dev.tenure.redis.RedisLeaseStore;
import dev.tenure.spi.LeaseStore;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Which clients the application has.
 */
final class StoreConfigurations {
    private static final String REDIS = "redis";

    private StoreConfigurations() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({JdbcLeaseStore.class, DataSource.class})
    static class Jdbc {
        @Bean
        StoreCandidates tenureJdbcCandidates(ConfigurableListableBeanFactory beans, TenureProperties properties) {
            return () -> {
                ClientBeans found = ClientBeans.of(beans, DataSource.class);
                return found.names().stream()
                        .map(name -> new StoreCandidate(
                                "jdbc",
                                "DataSource",
                                name,
                                found.isObvious(name),
                                () -> JdbcLeaseStore.using(
                                        beans.getBean(name, DataSource.class),
                                        properties.store().optionsWith(properties.namespace()))))
                        .toList();
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisLeaseStore.class, AbstractRedisClient.class})
    static class Redis {
        @Bean
        StoreCandidates tenureRedisCandidates(ConfigurableListableBeanFactory beans, TenureProperties properties) {
            return () -> {
                ClientBeans found = ClientBeans.of(beans, AbstractRedisClient.class);
                return found.names().stream()
                        .map(name -> new StoreCandidate(
                                REDIS,
                                "Redis client",
                                name,
                                found.isObvious(name),
                                () -> over(beans.getBean(name, AbstractRedisClient.class), properties)))
                        .toList();
            };
        }
    }

    /**
     * The client of a connection factory is taken unasked only if the application has no client as a bean.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisLeaseStore.class, AbstractRedisClient.class, LettuceConnectionFactory.class})
    static class SpringDataRedis {
        @Bean
        StoreCandidates tenureSpringDataRedisCandidates(
                ConfigurableListableBeanFactory beans, TenureProperties properties) {
            return () -> {
                boolean clients = !ClientBeans.of(beans, AbstractRedisClient.class)
                        .names()
                        .isEmpty();
                ClientBeans found = ClientBeans.of(beans, LettuceConnectionFactory.class);
                return found.names().stream()
                        .map(name -> new StoreCandidate(
                                REDIS,
                                "LettuceConnectionFactory",
                                name,
                                !clients && found.isObvious(name),
                                () -> over(started(beans.getBean(name, LettuceConnectionFactory.class)), properties)))
                        .toList();
            };
        }

        private static @Nullable AbstractRedisClient started(LettuceConnectionFactory factory) {
            factory.start(); // nothing if it runs
            return factory.getNativeClient();
        }
    }

    private static LeaseStore over(@Nullable AbstractRedisClient client, TenureProperties properties) {
        RedisLeaseStore.Builder builder;
        if (client instanceof RedisClusterClient cluster) {
            builder = RedisLeaseStore.using(cluster);
        } else if (client instanceof RedisClient single) {
            builder = RedisLeaseStore.using(single);
        } else {
            throw new IllegalArgumentException("the client must be a RedisClient or a RedisClusterClient: "
                    + (client == null ? "none" : client.getClass().getName()));
        }
        return builder.options(properties.store().optionsWith(properties.namespace()))
                .build();
    }
}
