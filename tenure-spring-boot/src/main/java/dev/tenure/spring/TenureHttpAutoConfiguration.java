package dev.tenure.spring;

import dev.tenure.jdbc.JdbcFence;
import jakarta.servlet.Filter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Fencing over HTTP: the client's interceptor, and the filter on the paths that are to be guarded.
 */
@AutoConfiguration(after = TenureAutoConfiguration.class)
public final class TenureHttpAutoConfiguration {
    TenureHttpAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClientHttpRequestInterceptor.class)
    static class Client {
        @Bean
        @ConditionalOnMissingBean
        FencingTokenInterceptor fencingTokenInterceptor() {
            return new FencingTokenInterceptor();
        }
    }

    /**
     * Named where a condition looks only, so that the JDBC module may be missing.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({JdbcFence.class, DataSource.class})
    @ConditionalOnProperty(name = "tenure.fencing.http.fence", havingValue = "jdbc")
    static class DatabaseFence {
        @Bean
        @ConditionalOnMissingBean(TokenFence.class)
        @ConditionalOnBean(DataSource.class)
        TokenFence tenureDatabaseFence(DataSource dataSource, TenureProperties properties) {
            String table = properties.fencing().http().table();
            return new DatabaseTokenFence(
                    dataSource, table == null ? JdbcFence.guardTable() : JdbcFence.guardTable(table));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({Filter.class, OncePerRequestFilter.class, FilterRegistrationBean.class})
    @ConditionalOnProperty("tenure.fencing.http.fence")
    static class Server {
        @Bean
        FilterRegistrationBean<FencingTokenFilter> tenureFencingFilter(
                TenureProperties properties, ObjectProvider<TokenFence> fences, Roles known) {
            TenureProperties.Http http = properties.fencing().http();
            Set<String> roles = new LinkedHashSet<>(http.roles().isEmpty() ? known.names() : http.roles());
            if (roles.isEmpty()) {
                throw new RefusedStartException(
                        "tenure.fencing.http.fence is set, and there is no role whose tokens it could accept.",
                        "Set tenure.fencing.http.roles to the roles of the callers.");
            }
            if (http.required() && http.paths().isEmpty()) {
                throw new RefusedStartException(
                        "tenure.fencing.http.required is true, and tenure.fencing.http.paths does not say for what:"
                                + " health and metrics would be refused too.",
                        "Set tenure.fencing.http.paths, /internal/* for instance, or /* if that is meant.");
            }
            FilterRegistrationBean<FencingTokenFilter> filter =
                    new FilterRegistrationBean<>(new FencingTokenFilter(fence(http, fences), roles, http.required()));
            filter.setUrlPatterns(http.paths().isEmpty() ? List.of("/*") : http.paths());
            return filter;
        }

        private static TokenFence fence(TenureProperties.Http http, ObjectProvider<TokenFence> fences) {
            TokenFence given = fences.getIfAvailable();
            if (given != null) {
                return given;
            }
            if (http.fence() == TenureProperties.FenceKind.JDBC) {
                throw new RefusedStartException(
                        "tenure.fencing.http.fence is jdbc, and the application has no DataSource or not tenure-jdbc.",
                        "Add both, or set tenure.fencing.http.fence=memory, which each instance has for itself.");
            }
            return TokenFence.inMemory();
        }
    }
}
