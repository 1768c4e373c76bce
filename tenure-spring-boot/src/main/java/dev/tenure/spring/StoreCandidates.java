package dev.tenure.spring;

import java.util.List;

/**
 * The clients of a kind, asked for only if the elections are to be held on one.
 */
@FunctionalInterface
interface StoreCandidates {
    List<StoreCandidate> all();
}
