package dev.tenure.spring;

import dev.tenure.spi.LeaseStore;
import java.util.function.Supplier;

/**
 * A store over a client that the application has.
 *
 * @param use by which {@code tenure.store.use} names it
 * @param client what the application has
 */
record StoreCandidate(String use, String client, Supplier<LeaseStore> open) {}
