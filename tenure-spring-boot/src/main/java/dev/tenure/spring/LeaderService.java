package dev.tenure.spring;

import dev.tenure.LeaderWork;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a bean that is {@link LeaderWork}: it is called once per term of the role, with {@link CurrentLease} set. One bean
 * per role. It makes no bean of the class; {@code @Component} or a {@code @Bean} method does.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface LeaderService {

    /**
     * The role; may be left out if there is one only.
     */
    String value() default "";
}
