package dev.tenure.spring;

import dev.tenure.Leadership;
import dev.tenure.spring.LeaderOnly.WhenNotLeader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/**
 * Puts {@link LeaderOnly} around the methods that carry it, outside of transactions and inside of {@code @Async}; refuses
 * those that it could not keep its word for.
 */
final class LeaderOnlyPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements MethodInterceptor, SmartInitializingSingleton {
    private static final long serialVersionUID = 1;

    private final transient BeanFactory beans;
    private final transient Map<Method, LeaderMethod> methods = new ConcurrentHashMap<>();
    private final transient Map<String, String> declared = new ConcurrentHashMap<>(); // roles by method
    private volatile boolean complete;

    LeaderOnlyPostProcessor(BeanFactory beans) {
        this.beans = beans;
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(true);
        setOrder(Ordered.LOWEST_PRECEDENCE - 10); // before those that look for scheduled methods
        this.advisor = new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, LeaderOnly.class, true), this);
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        Class<?> type = ClassUtils.getUserClass(bean);
        if (AnnotatedElementUtils.hasAnnotation(type, LeaderService.class)
                && !beans.getBean(Roles.class).isWork(name)) {
            throw new RefusedStartException(
                    "@LeaderService on " + type.getSimpleName() + " is not seen on bean '" + name
                            + "', whose declared type is another.",
                    "Give the @Bean method the return type " + type.getSimpleName() + ".");
        }
        if (AnnotationUtils.isCandidateClass(type, LeaderOnly.class)) {
            MethodIntrospector.selectMethods(type, LeaderOnlyPostProcessor::annotation)
                    .forEach((method, only) -> check(method, only, type));
        }
        return bean;
    }

    static @Nullable LeaderOnly annotation(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class);
    }

    private void check(Method method, LeaderOnly only, Class<?> type) {
        String where = "@LeaderOnly on " + name(method);
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)
                || Modifier.isStatic(modifiers)
                || Modifier.isFinal(modifiers)
                || Modifier.isFinal(type.getModifiers())) {
            throw new RefusedStartException(
                    where
                            + " has no effect: the method or its class is private, static or final, and is called past the"
                            + " bean's proxy.",
                    "Make it a method that a subclass can override.");
        }
        if (only.whenNotLeader() == WhenNotLeader.SKIP && method.getReturnType() != void.class) {
            throw new RefusedStartException(
                    where + " returns a value, and a follower that skips has none.",
                    "Return nothing, or say whenNotLeader = THROW.");
        }
        Class<?> promise = method.getReturnType();
        if (isPromise(promise) && !isAsync(method, type)) {
            throw new RefusedStartException(
                    where + " returns a " + promise.getSimpleName()
                            + ", and its work may go on when the method has returned: the lease would not wait for it.",
                    "Return the result itself, or a Future from a method that is @Async too.");
        }
        String name = name(method);
        declared.put(name, beans.getBean(Roles.class).theOne(only.value(), where));
        if (complete) {
            tell(name);
        }
    }

    /**
     * Not before, since a monitor may itself need beans that are being made.
     */
    @Override
    public void afterSingletonsInstantiated() {
        complete = true;
        declared.keySet().forEach(this::tell);
    }

    private void tell(String method) {
        beans.getBean(MethodRecords.class).declared(declared.getOrDefault(method, ""), method);
    }

    private static boolean isPromise(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || (type != void.class
                        && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
    }

    /**
     * Then the run is on another thread, where it is waited for.
     */
    private static boolean isAsync(Method method, Class<?> type) {
        return Future.class.isAssignableFrom(method.getReturnType())
                && (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                        || AnnotatedElementUtils.hasAnnotation(type, Async.class));
    }

    /**
     * A proxy that has only the bean's interfaces, and so not all of its methods.
     */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        Object proxy = super.postProcessAfterInitialization(bean, name);
        if (AopUtils.isJdkDynamicProxy(proxy)) {
            MethodIntrospector.selectMethods(AopUtils.getTargetClass(proxy), LeaderOnlyPostProcessor::annotation)
                    .keySet()
                    .forEach(method -> refuseIfHidden(method, proxy.getClass()));
        }
        return proxy;
    }

    private static void refuseIfHidden(Method method, Class<?> proxy) {
        try {
            AopUtils.selectInvocableMethod(method, proxy);
        } catch (IllegalStateException hidden) {
            throw new RefusedStartException(
                    "@LeaderOnly on " + name(method)
                            + " has no effect: the bean's proxy has the methods of its interfaces" + " only.",
                    "Add the method to an interface of the bean, or set spring.aop.proxy-target-class=true.",
                    hidden);
        }
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Method method = target == null
                ? invocation.getMethod()
                : AopUtils.getMostSpecificMethod(invocation.getMethod(), target.getClass());
        LeaderMethod known = methods.get(method);
        if (known == null) {
            known = leaderMethod(method);
            methods.put(method, known);
        }
        return known.call(invocation);
    }

    private LeaderMethod leaderMethod(Method method) {
        LeaderOnly only = annotation(method);
        if (only == null) {
            throw new IllegalStateException("no @LeaderOnly on " + method);
        }
        String name = name(method);
        String role = beans.getBean(Roles.class).theOne(only.value(), "@LeaderOnly on " + name);
        return new LeaderMethod(
                name,
                beans.getBean(Roles.beanName(role), Leadership.class),
                only.whenNotLeader(),
                beans.getBean(MethodRecords.class));
    }

    private static String name(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
