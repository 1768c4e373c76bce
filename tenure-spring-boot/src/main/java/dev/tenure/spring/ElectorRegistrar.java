package dev.tenure.spring;

import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.Leadership;
import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.Environment;

/**
 * Finds the roles in properties and annotations, and registers a {@link LeaderElector} bean for each, with the role as
 * qualifier, and as another name if no other bean has it. Makes no bean for that: what a factory bean makes is known as
 * far as its definition says it.
 */
final class ElectorRegistrar implements BeanFactoryPostProcessor, Ordered {
    private static final String ROLES = "tenureRoles";

    private final Environment environment;

    ElectorRegistrar(Environment environment) {
        this.environment = environment;
    }

    /**
     * Before those of a test that puts doubles in the electors' places.
     */
    @Override
    public int getOrder() {
        return 0;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Set<String> configured = Binder.get(environment)
                .bind("tenure.roles", Bindable.mapOf(String.class, ElectionProperties.class))
                .map(Map::keySet)
                .orElse(Set.of());
        Roles roles = Roles.of(configured, annotated(beans), services(beans));
        BeanFactory parent = beans.getParentBeanFactory();
        roles.inherit(role -> parent != null && parent.containsBean(Roles.beanName(role)));
        beans.registerSingleton(ROLES, roles);
        for (String role : roles.names()) {
            refuseShadow(beans, role);
            register((BeanDefinitionRegistry) beans, role);
        }
    }

    private static Map<String, String> services(ConfigurableListableBeanFactory beans) {
        Map<String, String> services = new LinkedHashMap<>();
        for (Iterator<String> names = beans.getBeanNamesIterator(); names.hasNext(); ) {
            String bean = names.next();
            LeaderService service = beans.findAnnotationOnBean(bean, LeaderService.class, false);
            Class<?> type = service == null ? null : beans.getType(bean, false);
            if (type != null && !LeaderWork.class.isAssignableFrom(type)) {
                throw new RefusedStartException(
                        "@LeaderService stands on bean '" + bean + "', which is no LeaderWork: " + type.getName() + ".",
                        "Implement dev.tenure.LeaderWork, or use @LeaderOnly on methods.");
            }
            if (service != null) {
                services.put(bean, service.value());
            }
        }
        return services;
    }

    private static Set<String> annotated(ConfigurableListableBeanFactory beans) {
        Set<String> roles = new LinkedHashSet<>();
        for (String bean : beans.getBeanDefinitionNames()) {
            Class<?> type = beans.getType(bean, false);
            if (type != null && AnnotationUtils.isCandidateClass(type, LeaderOnly.class)) {
                Map<Method, LeaderOnly> methods =
                        MethodIntrospector.selectMethods(type, LeaderOnlyPostProcessor::annotation);
                methods.values().forEach(only -> roles.add(only.value()));
            }
        }
        return roles;
    }

    private static void refuseShadow(ConfigurableListableBeanFactory beans, String role) {
        for (String bean : beans.getBeanNamesForType(Leadership.class, true, false)) {
            boolean own = bean.endsWith("LeaderElector") && isOurs(beans, bean);
            boolean primary = beans.containsBeanDefinition(bean)
                    && beans.getBeanDefinition(bean).isPrimary();
            if (!own && (primary || BeanFactoryAnnotationUtils.isQualifierMatch(role::equals, bean, beans))) {
                throw new RefusedStartException(
                        "The bean '" + bean + "' would shadow the elector of the role '" + role + "'"
                                + (primary ? ", since it is primary." : ", whose qualifier it has."),
                        "Remove the bean, or give it another name or qualifier. A test replaces the bean '"
                                + Roles.beanName(role) + "' by @MockitoBean or @TestBean.");
            }
        }
    }

    private static boolean isOurs(ConfigurableListableBeanFactory beans, String bean) {
        return beans.containsBeanDefinition(bean)
                && TenureAutoConfiguration.ELECTORS.equals(
                        beans.getBeanDefinition(bean).getFactoryBeanName());
    }

    private static void register(BeanDefinitionRegistry registry, String role) {
        String name = Roles.beanName(role);
        if (registry.containsBeanDefinition(name)) {
            if (registry.getBeanDefinition(name).getFactoryBeanName() == null
                    || !TenureAutoConfiguration.ELECTORS.equals(
                            registry.getBeanDefinition(name).getFactoryBeanName())) {
                throw new RefusedStartException(
                        "The bean '" + name + "' has the name of the elector of the role '" + role + "'.",
                        "Give the bean another name.");
            }
            return; // made ahead of time
        }
        RootBeanDefinition definition = new RootBeanDefinition(LeaderElector.class);
        definition.setFactoryBeanName(TenureAutoConfiguration.ELECTORS);
        definition.setFactoryMethodName("elector");
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, role);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, role));
        definition.setRole(BeanDefinition.ROLE_APPLICATION);
        registry.registerBeanDefinition(name, definition);
        if (!registry.isBeanNameInUse(role)) {
            registry.registerAlias(name, role);
        }
    }
}
