package dev.tenure.redis;

import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.TokenImplausibleException;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.RenewResult;
import java.util.List;
import java.util.Optional;

/**
 * What the scripts' answers say.
 */
final class Answers {
    private Answers() {}

    static AcquireResult acquired(String key, String record, List<Object> answer) {
        return switch (text(answer, 0)) {
            case "granted" -> AcquireResult.granted(Long.parseLong(text(answer, 1)), Long.parseLong(text(answer, 2)));
            case "denied" -> denied(key, record, answer);
            case "implausible" ->
                throw new TokenImplausibleException(
                        key, Long.parseLong(text(answer, 1)), Long.parseLong(text(answer, 2)));
            case "damaged" ->
                throw new StoreRejectedException(
                        "counter is no number, of type " + text(answer, 1) + ": " + Keys.counter(record)
                                + "; after a check: tenure fence accept ROLE TOKEN",
                        null);
            default -> throw unexpected(answer);
        };
    }

    private static AcquireResult denied(String key, String record, List<Object> answer) {
        LeaseRecord present = record(key, answer);
        if ((Long) answer.get(1) < 0) {
            throw new StoreRejectedException(
                    "record has no expiry, so nobody can follow: " + record + " holder="
                            + present.holder().name() + "; after a check: tenure evict --force ROLE",
                    null);
        }
        return AcquireResult.denied(present);
    }

    static Optional<LeaseRecord> read(String key, List<Object> answer) {
        return switch (text(answer, 0)) {
            case "free" -> Optional.empty();
            case "held" -> Optional.of(record(key, answer));
            default -> throw unexpected(answer);
        };
    }

    private static LeaseRecord record(String key, List<Object> answer) {
        return Records.of(key, (Long) answer.get(1), text(answer, 2), (List<?>) answer.get(3));
    }

    static RenewResult renewed(String record, Object answer) {
        if (answer instanceof Long number) {
            return number == 1 ? RenewResult.RENEWED : RenewResult.NOT_HOLDER;
        }
        String error = String.valueOf(answer);
        if (Trouble.of(new IllegalStateException(error)) != Trouble.REJECTED) {
            throw new StoreUnavailableException(record + ": " + error, null);
        }
        boolean damaged = error.contains("WRONGTYPE");
        throw new StoreRejectedException(
                record + ": " + error + (damaged ? "; after a check: tenure evict --force ROLE" : Trouble.hint(error)),
                null);
    }

    static boolean isOne(List<Object> answer) {
        return Long.valueOf(1).equals(answer.get(0));
    }

    private static String text(List<Object> answer, int at) {
        return String.valueOf(answer.get(at));
    }

    private static StoreUnavailableException unexpected(List<Object> answer) {
        return new StoreUnavailableException("not understood: " + answer, null);
    }
}
