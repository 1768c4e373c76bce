package dev.tenure.spring;

import dev.tenure.Elections;
import dev.tenure.InvalidOptionsException;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWatch;
import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import dev.tenure.Tenure;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Makes the electors, which are beans.
 */
final class TenureElectors {
    private final ObjectProvider<Tenure> tenure;
    private final TenureProperties properties;
    private final Roles roles;
    private final BeanFactory beans;
    private final LeadershipEvents events;

    TenureElectors(
            ObjectProvider<Tenure> tenure,
            TenureProperties properties,
            Roles roles,
            BeanFactory beans,
            LeadershipEvents events) {
        this.tenure = tenure;
        this.properties = properties;
        this.roles = roles;
        this.beans = beans;
        this.events = events;
    }

    /**
     * The elector of a role; called once, by the bean factory.
     */
    LeaderElector elector(String role) {
        String workBean = roles.workBean(role);
        LeaderElector elector = with(
                role,
                elections -> workBean == null ? elections.elector(role) : elections.elector(role, work(workBean)));
        events.follow(elector);
        return elector;
    }

    /**
     * Follows who leads the role.
     */
    LeaderWatch watch(String role) {
        return with(role, elections -> elections.watch(role));
    }

    private <T> T with(String role, Function<Elections, T> use) {
        ElectionProperties own = properties.roles().getOrDefault(role, ElectionProperties.none());
        refuseUnsoundHealthCheck(PropertyNames.ofRole(role), own, beans);
        try {
            return use.apply(tenure.getObject().with(options -> own.applyTo(options, healthChecks(beans))));
        } catch (InvalidOptionsException invalid) {
            Set<String> set = own.setNames();
            Set<String> common = properties.defaults().setNames();
            throw PropertyNames.refusal(invalid, violation -> PropertyNames.ofRole(role, violation, set, common));
        }
    }

    /**
     * The bean is looked up only when it is to work, so that it may itself be given the leadership.
     */
    private LeaderWork work(String bean) {
        return lease -> {
            @Nullable Lease outer = CurrentLease.enter(lease);
            try {
                beans.getBean(bean, LeaderWork.class).lead(lease);
            } finally {
                CurrentLease.restore(outer);
            }
        };
    }

    /**
     * Health checks by the names of their beans, looked up when they are asked.
     */
    static Function<String, BooleanSupplier> healthChecks(BeanFactory beans) {
        return bean -> () -> beans.getBean(bean, BooleanSupplier.class).getAsBoolean();
    }

    /**
     * @param properties what the properties begin with
     */
    static void refuseUnsoundHealthCheck(String properties, ElectionProperties own, BeanFactory beans) {
        String check = own.healthCheck();
        if (check == null && own.healthGrace() != null) {
            throw new RefusedStartException(
                    properties + ".health-grace has no effect without " + properties + ".health-check.",
                    "Name the BooleanSupplier bean that says whether the leader works, or remove the grace.");
        }
        if (check != null && !(beans.containsBean(check) && beans.isTypeMatch(check, BooleanSupplier.class))) {
            throw new RefusedStartException(
                    properties + ".health-check must be the name of a BooleanSupplier bean: " + check,
                    "Correct the name, or add the bean.");
        }
    }

    Roles roles() {
        return roles;
    }

    StartMode startOf(String role) {
        StartMode own =
                properties.roles().getOrDefault(role, ElectionProperties.none()).start();
        return own != null ? own : properties.start();
    }
}
