package dev.tenure.engine;

import dev.tenure.spi.Claim;

/**
 * One unbroken leadership of one candidate.
 *
 * @param number counts the terms of the candidate from 1
 * @param token 0 if the store does not coordinate
 * @param beganAt when this side learned of it
 */
public record Term(long number, String incarnation, long token, long beganAt) {

    boolean isCoordinated() {
        return token != Claim.UNKNOWN_TOKEN;
    }

    boolean owns(Call call) {
        return call.incarnation().equals(incarnation);
    }
}
