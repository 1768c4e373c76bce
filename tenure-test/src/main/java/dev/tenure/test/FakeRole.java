package dev.tenure.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Asks {@link LeadershipLeaks} for a {@link FakeLeadership} of this role. Within one test, the same role is the same
 * double.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface FakeRole {
    /**
     * The role.
     */
    String value();
}
