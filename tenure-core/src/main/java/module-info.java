/**
 * Tenure's API, store SPI and engine.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that internal packages are open to are built after this one
module dev.tenure {
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports dev.tenure;
    exports dev.tenure.channel;
    exports dev.tenure.schedule;
    exports dev.tenure.spi;
    exports dev.tenure.engine to
            dev.tenure.test,
            dev.tenure.verification;
    exports dev.tenure.log to
            dev.tenure.consul,
            dev.tenure.jdbc,
            dev.tenure.redis,
            dev.tenure.spring,
            dev.tenure.test,
            dev.tenure.verification;
    exports dev.tenure.memory to
            dev.tenure.test,
            dev.tenure.verification;

    uses dev.tenure.spi.LeaseStoreProvider;
}
