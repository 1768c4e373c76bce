package dev.tenure.spring;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The roles of an application, and the bean that is the work of each, if one is. Made before the beans are, and fixed
 * from then on.
 */
final class Roles {
    private final Map<String, Optional<String>> workBeans = new LinkedHashMap<>();
    private final Set<String> inherited = new LinkedHashSet<>();

    /**
     * @param configured those that properties name
     * @param annotated those that {@link LeaderOnly} methods name
     * @param services beans with {@link LeaderService}, and the role that each names; empty for the only one
     * @throws RefusedStartException if two are one, or a bean does not say which of several it means
     */
    static Roles of(Collection<String> configured, Collection<String> annotated, Map<String, String> services) {
        Roles roles = new Roles();
        configured.forEach(roles::add);
        annotated.stream().filter(role -> !role.isEmpty()).forEach(roles::add);
        services.values().stream().filter(role -> !role.isEmpty()).forEach(roles::add);
        roles.refuseAlike();
        services.forEach(roles::assign);
        return roles;
    }

    /**
     * The roles that an ancestor of the context has: their electors are that one's.
     *
     * @throws RefusedStartException if one of them has its work here
     */
    void inherit(Predicate<String> ofAnAncestor) {
        workBeans.forEach((role, work) -> {
            if (ofAnAncestor.test(role)) {
                if (work.isPresent()) {
                    throw new RefusedStartException(
                            "@LeaderService on bean '" + work.get() + "' is for the role '" + role
                                    + "', whose elector is that of the parent context.",
                            "Move the bean there, or give it a role of its own.");
                }
                inherited.add(role);
            }
        });
    }

    boolean isWork(String bean) {
        return workBeans.containsValue(Optional.of(bean));
    }

    private void add(String role) {
        workBeans.putIfAbsent(role, Optional.empty());
    }

    private void assign(String bean, String named) {
        String role = theOne(named, "@LeaderService on bean '" + bean + "'");
        String other = workBeans.getOrDefault(role, Optional.empty()).orElse(null);
        if (other != null) {
            throw new RefusedStartException(
                    "The role '" + role + "' is given twice: by @LeaderService on bean '" + other + "' and on bean '"
                            + bean + "'.",
                    "Give each its own role, or do both in one bean: a term has one work.");
        }
        workBeans.put(role, Optional.of(bean));
    }

    /**
     * A property and an environment variable name a role in different spellings, which would be two elections.
     */
    private void refuseAlike() {
        Map<String, String> seen = new LinkedHashMap<>();
        for (String role : workBeans.keySet()) {
            String other = seen.putIfAbsent(role.toLowerCase(Locale.ROOT).replaceAll("[-_]", ""), role);
            if (other != null) {
                throw new RefusedStartException(
                        "The role '" + other + "' is repeated as '" + role
                                + "': they differ in case, dashes and underscores only, which properties do not tell apart.",
                        "Write it in one way everywhere: in properties, environment variables and annotations.");
            }
        }
    }

    /**
     * The role that a name means; the only one if it is empty.
     *
     * @param where for people
     * @throws RefusedStartException if there are several, or none, or not that one
     */
    String theOne(String named, String where) {
        if (!named.isEmpty()) {
            if (!workBeans.containsKey(named)) {
                throw new RefusedStartException(
                        where + " names the role '" + named + "', which is none: roles are " + workBeans.keySet() + ".",
                        "Set tenure.roles." + named + ".start=context to declare it, or correct the name.");
            }
            return named;
        }
        if (workBeans.size() != 1) {
            throw new RefusedStartException(
                    where + " names no role, and there is not exactly one: roles are " + workBeans.keySet() + ".",
                    "Name the role.");
        }
        return workBeans.keySet().iterator().next();
    }

    /**
     * Those whose electors are this context's.
     */
    List<String> names() {
        return workBeans.keySet().stream()
                .filter(role -> !inherited.contains(role))
                .toList();
    }

    @Nullable
    String workBean(String role) {
        return workBeans.getOrDefault(role, Optional.empty()).orElse(null);
    }

    /**
     * The name of a role's bean.
     */
    static String beanName(String role) {
        return role + "LeaderElector";
    }
}
