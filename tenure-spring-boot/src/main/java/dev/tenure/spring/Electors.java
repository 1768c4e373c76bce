package dev.tenure.spring;

import dev.tenure.LeaderElector;
import dev.tenure.Tenure;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;

/**
 * The electors of this application, standing or not.
 */
final class Electors {
    private final Tenure tenure;
    private final Roles roles;
    private final BeanFactory beans;

    Electors(Tenure tenure, Roles roles, BeanFactory beans) {
        this.tenure = tenure;
        this.roles = roles;
        this.beans = beans;
    }

    List<LeaderElector> all() {
        return roles.names().stream().flatMap(role -> of(role).stream()).toList();
    }

    /**
     * Empty if there is no such role, or a test has put a double in its place.
     */
    Optional<LeaderElector> of(String role) {
        return Stream.of(role)
                .filter(roles.names()::contains)
                .map(known -> beans.getBean(Roles.beanName(known)))
                .filter(LeaderElector.class::isInstance)
                .map(LeaderElector.class::cast)
                .findFirst();
    }

    /**
     * Those that stand or lead, whoever made them.
     */
    List<LeaderElector> standing() {
        return List.copyOf(tenure.electors());
    }

    String instance() {
        return tenure.describe().instance();
    }
}
