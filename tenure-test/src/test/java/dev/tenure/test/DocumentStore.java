package dev.tenure.test;

import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.BlockingLeaseStore;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import dev.tenure.spi.Tokens;
import dev.tenure.test.DocumentDb.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A third party's store. Each decision is a method, so that {@link BrokenStore} can take it wrongly.
 */
class DocumentStore implements BlockingLeaseStore {
    final DocumentDb db;
    private volatile boolean closed;

    DocumentStore(DocumentDb db) {
        this.db = db;
    }

    @Override
    public StoreTraits traits() {
        return StoreTraits.builder("documents", StoreTraits.Scope.CLUSTER)
                .lease(Duration.ofMillis(10), Duration.ofHours(1))
                .longestKey(200)
                .tokenSource("a field of the document, which is never deleted")
                .build();
    }

    @Override
    public AcquireResult acquire(AcquireRequest request) {
        return db.update(key(request.key()), old -> {
            Instant now = now();
            Optional<LeaseRecord> live = live(request.key(), old);
            if (live.isPresent() && !isAskers(live.get(), request)) {
                return new Change<>(old, AcquireResult.denied(live.get()));
            }
            Instant end = now.plus(request.lease());
            Document granted = live.isPresent()
                    ? old.endingAt(laterEnd(old.expires(), end))
                    : old.granted(request.holder(), nextToken(request, old, now), now, end);
            return new Change<>(granted, AcquireResult.granted(granted.token(), granted.accepted()));
        });
    }

    @Override
    public RenewResult renew(Claim claim) {
        return db.update(key(claim.key()), old -> {
            if (live(claim.key(), old)
                    .filter(live -> isRenewersOwn(live, claim))
                    .isEmpty()) {
                return new Change<>(old, RenewResult.NOT_HOLDER);
            }
            Instant end = laterEnd(old.expires(), now().plus(claim.lease()));
            return new Change<>(old.endingAt(end), RenewResult.RENEWED);
        });
    }

    @Override
    public boolean release(Claim claim) {
        return db.update(key(claim.key()), old -> {
            boolean own = live(claim.key(), old)
                    .filter(live -> isReleasersOwn(live, claim))
                    .isPresent();
            return new Change<>(own ? freed(old) : old, own);
        });
    }

    @Override
    public boolean revoke(String key) {
        return db.update(key(key), old -> {
            boolean present = live(key, old).isPresent();
            return new Change<>(present ? revoked(old) : old, present);
        });
    }

    @Override
    public boolean forceRelease(String key) {
        return db.update(key(key), old -> {
            boolean present =
                    old.version() != Document.VERSION || live(key, old).isPresent();
            return new Change<>(old.freed(), present);
        });
    }

    @Override
    public void acceptToken(String key, long token) {
        var unused = db.update(key(key), old -> new Change<>(old.accepting(token), true));
    }

    @Override
    public Optional<LeaseRecord> read(String key) {
        return live(key, db.get(key(key)));
    }

    @Override
    public List<LeaseRecord> list() {
        return db.all().entrySet().stream()
                .filter(entry -> entry.getValue().version() != Document.UNREADABLE)
                .flatMap(entry -> live(entry.getKey(), entry.getValue()).stream())
                .toList();
    }

    @Override
    public void close() {
        closed = true;
    }

    String key(String key) {
        if (closed) {
            throw new StoreUnavailableException("documents is closed", null);
        }
        return key;
    }

    Instant now() {
        return db.time().wall();
    }

    Optional<LeaseRecord> live(String key, Document document) {
        return document.live(key, now());
    }

    boolean isAskers(LeaseRecord live, AcquireRequest request) {
        return request.matches(live);
    }

    boolean isRenewersOwn(LeaseRecord live, Claim claim) {
        return claim.matches(live);
    }

    boolean isReleasersOwn(LeaseRecord live, Claim claim) {
        return claim.matches(live);
    }

    Instant laterEnd(Instant old, Instant wanted) {
        return wanted.isAfter(old) ? wanted : old;
    }

    Document freed(Document old) {
        return old.freed();
    }

    Document revoked(Document old) {
        return old.heldBy(
                new Holder(old.holder().name(), "revoked", old.holder().metadata()));
    }

    /**
     * A floor that cannot be right is passed over once an operator has accepted a token.
     */
    long nextToken(AcquireRequest request, Document old, Instant now) {
        boolean passedOver = old.accepted() > 0 && Tokens.isImplausible(request.tokenFloor(), Tokens.micros(now));
        long floor = passedOver ? 0 : request.tokenFloor();
        return Tokens.next(request.key(), old.highest(), floor, now);
    }
}
