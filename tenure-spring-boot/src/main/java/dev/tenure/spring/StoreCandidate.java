package dev.tenure.spring;

import dev.tenure.spi.LeaseStore;
import java.util.function.Supplier;

/**
 * A store over a client that the application has.
 *
 * @param use by which {@code tenure.store.use} names it
 * @param kind of client, for people
 * @param bean by which {@code tenure.store.bean} names it
 * @param obvious whether the application says that it is the one to take: it is the only one of its kind, or primary
 */
record StoreCandidate(String use, String kind, String bean, boolean obvious, Supplier<LeaseStore> open) {

    String client() {
        return kind + " '" + bean + "'";
    }
}
