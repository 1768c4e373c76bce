package dev.tenure.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * The method runs only while this instance leads the role; {@link CurrentLease} is its lease. Alone, or beside
 * {@code @Scheduled}.
 *
 * <p>When the term is lost, the thread of a run in progress is interrupted at once. When it ends voluntarily, the run may
 * finish on a lease that is still renewed, is interrupted after {@code interruptAfter}, and the lease is released when it
 * has returned; past {@code drainTimeout} it is left to expire.
 *
 * <p>Works through the bean's proxy: a call from within the bean itself is not checked, and shows by
 * {@link CurrentLease#get()} throwing. Refused at start-up: private, static and final methods, final classes, methods that
 * the proxy does not have, and those that return a promise (a future, a publisher), whose work goes on after they returned.
 *
 * <p>The check is outside of {@code @Transactional}, so that a skip opens no transaction and the lease is kept until the
 * commit, and inside of {@code @Async}: it is made on the thread that runs the method, when it runs. A method that is
 * {@code @Async} may return a {@code Future}; its run is over when that is done.
 *
 * <p>A {@link dev.tenure.FencedOutException} that the method throws ends the term, as one of leader work does; any other
 * exception ends nothing.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface LeaderOnly {

    /**
     * The role; may be left out if there is one only.
     */
    String value() default "";

    WhenNotLeader whenNotLeader() default WhenNotLeader.SKIP;

    /**
     * What a follower does.
     */
    enum WhenNotLeader {
        /**
         * Returns without effect, which is counted; a method that returns a value is refused at start-up.
         */
        SKIP,
        /**
         * Throws a {@link dev.tenure.LeadershipLostException}.
         */
        THROW
    }
}
