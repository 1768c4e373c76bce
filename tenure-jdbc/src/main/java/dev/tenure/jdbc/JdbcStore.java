package dev.tenure.jdbc;

import dev.tenure.Registration;
import dev.tenure.StoreRejectedException;
import dev.tenure.TokenImplausibleException;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.BlockingLeaseStore;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Leases in a table. The database decides, by its own clock; nothing is remembered here.
 */
final class JdbcStore implements BlockingLeaseStore {
    /**
     * Of calls that come without one.
     */
    private static final Duration OPERATOR_LIMIT = Duration.ofSeconds(9);

    private final StoreTraits traits;
    private final JdbcOptions options;
    private final Dialect dialect;
    private final Statements sql;
    private final Calls calls;
    private final WakeUps wakeUps;

    JdbcStore(String name, Dialect dialect, JdbcOptions options, Connections connections, WakeUps wakeUps) {
        this.dialect = dialect;
        this.options = options;
        this.sql = new Statements(dialect, options.table(), options.counter());
        this.wakeUps = wakeUps;
        String ddl = sql.text(Ddl.read(dialect.name() + ".sql"));
        this.calls = new Calls(name, options.table(), ddl, dialect, connections);
        this.traits = StoreTraits.builder(name, dialect.scope())
                .longestKey(JdbcOptions.LONGEST_KEY - options.namespace().length())
                .expiryClock(StoreTraits.ExpiryClock.WALL)
                .tokenSource(tokenSource(options.counter()))
                .build();
    }

    private static String tokenSource(boolean counter) {
        return counter
                ? "a count in the row; a row that is lost or restored from an older copy repeats tokens"
                : "µs of the database's clock, kept above every earlier token in the row; "
                        + "a row that is lost while that clock was set back repeats tokens";
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    private String key(String key) {
        return options.namespace() + key;
    }

    @Override
    public AcquireResult acquire(AcquireRequest request) throws InterruptedException {
        Attempt attempt = calls.call(
                request.timeLimit(), false, session -> dialect.acquire(session, sql, key(request.key()), request));
        if (attempt.granted() != 0) {
            return AcquireResult.granted(attempt.granted(), attempt.accepted());
        }
        Row row = attempt.row();
        if (row.isHeldByOther(request.holder().incarnation())) {
            return AcquireResult.denied(row.toRecord(options.namespace()));
        }
        OptionalLong implausible = row.implausible(request.tokenFloor(), options.counter());
        if (implausible.isPresent() && !row.isHeld()) {
            throw new TokenImplausibleException(request.key(), implausible.getAsLong(), row.now());
        }
        return AcquireResult.denied(); // it changed hands meanwhile, or this asker has released already
    }

    @Override
    public RenewResult renew(Claim claim) throws InterruptedException {
        return calls.call(claim.timeLimit(), true, session -> dialect.renew(session, sql, inTable(claim)))
                ? RenewResult.RENEWED
                : RenewResult.NOT_HOLDER;
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) throws InterruptedException {
        if (claims.size() == 1) { // nobody else to wait for it
            return List.of(new Renewal.Answered(renew(claims.get(0))));
        }
        Duration limit =
                claims.stream().map(Claim::timeLimit).min(Duration::compareTo).orElse(OPERATOR_LIMIT);
        List<Claim> inTable = claims.stream().map(this::inTable).toList();
        return calls.call(limit, true, session -> dialect.renewAll(session, sql, inTable));
    }

    private Claim inTable(Claim claim) {
        return new Claim(key(claim.key()), claim.holder(), claim.token(), claim.lease(), claim.timeLimit());
    }

    /**
     * Shuts out first what may still be under way, then frees.
     */
    @Override
    public boolean release(Claim claim) throws InterruptedException {
        String key = key(claim.key());
        String incarnation = claim.holder().incarnation();
        return calls.call(claim.timeLimit(), false, session -> {
            if (claim.token() == Claim.UNKNOWN_TOKEN) {
                session.changes(sql.remember, incarnation, key);
            }
            return session.changes(sql.release, key, incarnation, claim.token(), claim.token());
        });
    }

    @Override
    public boolean revoke(String key) throws InterruptedException {
        String nobody = "revoked-" + UUID.randomUUID();
        return operate(session -> session.changes(sql.revoke, nobody, key(key)));
    }

    @Override
    public boolean forceRelease(String key) throws InterruptedException {
        return operate(session -> session.changes(sql.forceRelease, key(key)));
    }

    @Override
    public void acceptToken(String key, long token) throws InterruptedException {
        if (!operate(session -> session.changes(sql.acceptToken, token, token, key(key)))) {
            throw new StoreRejectedException("record is of an unknown version: key=" + key, null);
        }
    }

    @Override
    public Optional<LeaseRecord> read(String key) throws InterruptedException {
        Row row = operate(session -> session.read(sql, key(key)));
        return row.isHeld() ? Optional.of(row.toRecord(options.namespace())) : Optional.empty();
    }

    @Override
    public List<LeaseRecord> list() throws InterruptedException {
        String namespace = options.namespace();
        int length = namespace.codePointCount(0, namespace.length());
        return operate(session -> session.query(sql.list, row -> Row.from(row, ""), length, namespace)).stream()
                .filter(Row::isHeld)
                .map(row -> row.toRecord(namespace))
                .toList();
    }

    private <T> T operate(Calls.Work<T> work) throws InterruptedException {
        return calls.call(OPERATOR_LIMIT, false, work);
    }

    @Override
    public Registration watch(String key, Runnable wakeUp) {
        return wakeUps.watch(key(key), wakeUp);
    }

    @Override
    public void close() {
        wakeUps.close();
        calls.close();
    }
}
