/**
 * The contract for stores, elections on virtual time, and doubles for applications' tests.
 */
@org.jspecify.annotations.NullMarked
module dev.tenure.test {
    requires static transitive org.jspecify;
    requires transitive dev.tenure;
    requires transitive org.junit.jupiter.api;
    requires org.assertj.core;

    exports dev.tenure.test;
    exports dev.tenure.test.virtual;

    opens dev.tenure.test to
            org.junit.platform.commons;
}
