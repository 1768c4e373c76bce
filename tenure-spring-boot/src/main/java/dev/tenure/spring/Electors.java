package dev.tenure.spring;

import dev.tenure.LeaderElector;
import dev.tenure.Tenure;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The electors of this application, standing or not.
 */
final class Electors {
    private final ObjectProvider<Tenure> tenure;
    private final Roles roles;
    private final ConfigurableListableBeanFactory beans;

    Electors(ObjectProvider<Tenure> tenure, Roles roles, ConfigurableListableBeanFactory beans) {
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
     * Those that stand or lead and end with this context: of a Tenure of its own all, whoever made them; of the parent's
     * those that were made here.
     */
    List<LeaderElector> standing() {
        return isTenureMadeHere() ? List.copyOf(tenure.getObject().electors()) : all();
    }

    private boolean isTenureMadeHere() {
        return Stream.of(beans.getBeanNamesForType(Tenure.class, false, false)).anyMatch(beans::containsSingleton);
    }

    /**
     * Empty in an application that has no election, and has opened no store for one.
     */
    Optional<String> instance() {
        return roles.names().isEmpty() && !isTenureMadeHere()
                ? Optional.empty()
                : Optional.of(tenure.getObject().describe().instance());
    }
}
