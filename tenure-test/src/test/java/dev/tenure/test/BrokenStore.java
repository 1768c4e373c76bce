package dev.tenure.test;

import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.BlockingLeaseStore;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * A store with one fault, and the contract's test that is there for it.
 */
enum BrokenStore {
    RENEW_IGNORES_THE_TOKEN("renewalWithAnotherTokenIsRefused", db -> new DocumentStore(db) {
        @Override
        boolean isRenewersOwn(LeaseRecord live, Claim claim) {
            return live.holder().incarnation().equals(claim.holder().incarnation());
        }
    }),
    RENEW_IGNORES_THE_INCARNATION("renewalByAnotherIncarnationIsRefused", db -> new DocumentStore(db) {
        @Override
        boolean isRenewersOwn(LeaseRecord live, Claim claim) {
            return live.token() == claim.token();
        }
    }),
    RENEW_REVIVES_EXPIRED_RECORDS("renewalAfterExpiryIsRefusedAlthoughNobodyElseCame", db -> new DocumentStore(db) {
        @Override
        public RenewResult renew(Claim claim) {
            return super.renew(claim) == RenewResult.RENEWED
                            || acquire(new AcquireRequest(
                                            claim.key(), claim.holder(), claim.lease(), 0, claim.timeLimit()))
                                    instanceof AcquireResult.Granted
                    ? RenewResult.RENEWED
                    : RenewResult.NOT_HOLDER;
        }
    }),
    RELEASE_BY_NAME("releaseByAnotherIncarnationIsRefused", db -> new DocumentStore(db) {
        @Override
        boolean isReleasersOwn(LeaseRecord live, Claim claim) {
            return live.holder().name().equals(claim.holder().name());
        }
    }),
    RELEASE_IGNORES_THE_TOKEN(
            "releaseOfAnEarlierTermOfTheSameIncarnationLeavesTheNewerOne", db -> new DocumentStore(db) {
                @Override
                boolean isReleasersOwn(LeaseRecord live, Claim claim) {
                    return live.holder().incarnation().equals(claim.holder().incarnation());
                }
            }),
    RELEASE_IGNORES_UNANSWERED_ACQUISITIONS(
            "unansweredAcquisitionIsReleasedByItsIncarnationAlone", db -> new DocumentStore(db) {
                @Override
                boolean isReleasersOwn(LeaseRecord live, Claim claim) {
                    return claim.token() != Claim.UNKNOWN_TOKEN && super.isReleasersOwn(live, claim);
                }
            }),
    RELEASE_FORGETS_THE_TOKEN("tokensRiseOverTwentyHandOvers", db -> new DocumentStore(db) {
        @Override
        Document freed(Document old) {
            return Document.EMPTY;
        }
    }),
    TOKEN_DOES_NOT_RISE("releaseFreesAtOnce", db -> new DocumentStore(db) {
        @Override
        long nextToken(AcquireRequest request, Document old, Instant now) {
            return Math.max(1, old.highest());
        }
    }),
    TOKEN_IGNORES_THE_FLOOR("tokenIsAboveWhatTheAskerHasSeen", db -> new DocumentStore(db) {
        @Override
        long nextToken(AcquireRequest request, Document old, Instant now) {
            return request.tokenAfter(Math.max(old.highest(), request.tokenFloor()), now) - request.tokenFloor();
        }
    }),
    IMPLAUSIBLE_TOKENS_PASS("implausibleFloorIsRefusedUntilAnOperatorAcceptsAToken", db -> new DocumentStore(db) {
        @Override
        long nextToken(AcquireRequest request, Document old, Instant now) {
            return Math.max(Math.max(old.highest(), request.tokenFloor()) + 1, Tokens.micros(now));
        }
    }),
    END_MOVES_BACK("renewalWithAShorterLeaseMovesNoEndBack", db -> new DocumentStore(db) {
        @Override
        Instant laterEnd(Instant old, Instant wanted) {
            return wanted;
        }
    }),
    RENEW_PROLONGS_NOTHING("renewalLastsAFullLeaseAndKeepsTheToken", db -> new DocumentStore(db) {
        @Override
        Instant laterEnd(Instant old, Instant wanted) {
            return old;
        }
    }),
    SAME_NAME_IS_THE_SAME_OWNER("K113_sameNameWithAnotherIncarnationIsDenied", db -> new DocumentStore(db) {
        @Override
        boolean isAskers(LeaseRecord live, AcquireRequest request) {
            return live.holder().name().equals(request.holder().name());
        }
    }),
    LOST_ANSWERS_STAY_LOST("K035_lostAnswerIsResolvedByAskingAgain", db -> new DocumentStore(db) {
        @Override
        boolean isAskers(LeaseRecord live, AcquireRequest request) {
            return false;
        }
    }),
    REVOKE_FREES_AT_ONCE("revokedRecordKeepsItsEnd", db -> new DocumentStore(db) {
        @Override
        Document revoked(Document old) {
            return old.freed();
        }
    }),
    REVOKE_CHANGES_NOTHING("revokedHolderIsRefused", db -> new DocumentStore(db) {
        @Override
        Document revoked(Document old) {
            return old;
        }
    }),
    LEASE_IS_CUT_TO_SECONDS("fractionalLeaseIsHonoured", db -> new DocumentStore(db) {
        @Override
        public AcquireResult acquire(AcquireRequest request) {
            Duration cut = Duration.ofSeconds(request.lease().toSeconds());
            return super.acquire(new AcquireRequest(
                    request.key(), request.holder(), cut, request.tokenFloor(), request.timeLimit()));
        }
    }),
    END_IS_INCLUSIVE("leaseIsLapsedAtExactlyItsEnd", db -> new DocumentStore(db) {
        @Override
        Optional<LeaseRecord> live(String key, Document document) {
            return document.live(key, now().minusNanos(1));
        }
    }),
    KEYS_IGNORE_CASE("keysAreCaseSensitive", db -> new DocumentStore(db) {
        @Override
        String key(String key) {
            return super.key(key).toLowerCase(Locale.ROOT);
        }
    }),
    KEYS_ARE_CUT("longestKeysAreKeptWholeAndApart", db -> new DocumentStore(db) {
        @Override
        String key(String key) {
            return super.key(key).substring(0, Math.min(key.length(), 100));
        }
    }),
    BATCH_ANSWERS_OUT_OF_ORDER("eachAnswerIsAtTheIndexOfItsClaim", db -> new DocumentStore(db) {
        @Override
        public List<Renewal> renewAll(List<Claim> claims) throws Exception {
            List<Claim> reversed = new ArrayList<>(claims);
            Collections.reverse(reversed);
            return super.renewAll(reversed);
        }
    }),
    BATCH_FAILS_AS_A_WHOLE("brokenRecordSpoilsOnlyItsOwnRenewal", db -> new DocumentStore(db) {
        @Override
        public List<Renewal> renewAll(List<Claim> claims) {
            return claims.stream()
                    .<Renewal>map(claim -> new Renewal.Answered(renew(claim)))
                    .toList();
        }
    }),
    UNKNOWN_VERSION_IS_OVERWRITTEN("recordOfUnknownVersionIsHeldAndNotOverwritten", db -> new DocumentStore(db) {
        @Override
        boolean isAskers(LeaseRecord live, AcquireRequest request) {
            return live.holder().incarnation().isEmpty() || super.isAskers(live, request);
        }
    }),
    FREE_OR_NOT_IS_READ_FIRST("exactlyOneOfManyWinsEachRound", db -> new DocumentStore(db) {
        @Override
        public AcquireResult acquire(AcquireRequest request) {
            if (read(request.key()).isEmpty()) {
                LockSupport.parkNanos(100_000);
                Instant end = now().plus(request.lease());
                Document old = db.get(request.key());
                Document granted = old.granted(request.holder(), nextToken(request, old, now()), now(), end);
                db.put(request.key(), granted);
                return AcquireResult.granted(granted.token(), granted.accepted());
            }
            return super.acquire(request);
        }
    });

    private final String caughtBy;

    @SuppressWarnings("ImmutableEnumChecker") // a constructor
    private final Function<DocumentDb, BlockingLeaseStore> store;

    BrokenStore(String caughtBy, Function<DocumentDb, BlockingLeaseStore> store) {
        this.caughtBy = caughtBy;
        this.store = store;
    }

    /**
     * The name of the test.
     */
    String caughtBy() {
        return caughtBy;
    }

    Function<DocumentDb, BlockingLeaseStore> store() {
        return store;
    }
}
