package dev.tenure.verification.simulation;

import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.memory.TokenMode;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.RenewResult;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * The store as one process somewhere: the real memory store on clocks of its own, at times down. It keeps what it
 * acknowledged. Every change is told to the checkers.
 */
final class Server {
    private final World world;
    private final StoreClock clock;
    private final MemoryLeaseStore memory;
    private final Ledger ledger;
    private boolean up = true;
    private boolean refusing;

    Server(World world) {
        this.world = world;
        clock = new StoreClock(world.agenda(), world.scenario());
        TokenMode tokens = world.scenario().counter() ? TokenMode.COUNTER : TokenMode.FORMULA;
        memory = new MemoryLeaseStore(clock::nanos, clock::wall, tokens);
        ledger = new Ledger(world, clock);
    }

    Ledger ledger() {
        return ledger;
    }

    MemoryLeaseStore memory() {
        return memory;
    }

    boolean isUp() {
        return up;
    }

    void up(boolean now) {
        up = now;
    }

    /**
     * Whether it rejects everybody.
     */
    void refusing(boolean now) {
        refusing = now;
    }

    void step(long by) {
        clock.step(by);
        ledger.stepped(by);
    }

    private void ensureUp() {
        if (refusing) {
            throw new StoreRejectedException("no permission", null);
        }
        if (!up) {
            throw new StoreUnavailableException("down", null);
        }
    }

    static <T> T now(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    Optional<LeaseRecord> present(String key) {
        return now(memory.read(key));
    }

    /**
     * @param stray whether the request came late or for the second time
     */
    AcquireResult acquire(AcquireRequest request, boolean stray) {
        ensureUp();
        AcquireResult result = now(memory.acquire(request));
        if (result instanceof Granted granted) {
            ledger.granted(request, granted.token(), stray);
        }
        return result;
    }

    RenewResult renew(Claim claim, boolean stray) {
        ensureUp();
        Optional<LeaseRecord> before = present(claim.key());
        RenewResult result = now(memory.renew(claim));
        ledger.renewed(claim, result, before, present(claim.key()), stray);
        return result;
    }

    boolean release(Claim asked) {
        ensureUp();
        Claim claim = asked;
        Optional<LeaseRecord> before = present(claim.key());
        if (world.fault() == Fault.RELEASE_BY_NAME && before.isPresent()) {
            Holder holder = before.get().holder();
            if (holder.name().equals(claim.holder().name())) {
                claim = new Claim(claim.key(), holder, before.get().token(), claim.lease(), claim.timeLimit());
            }
        }
        boolean known = before.isPresent() && claim.matches(before.get());
        boolean freed = (known || !world.scenario().forgetful()) && now(memory.release(claim));
        ledger.released(asked, before, present(claim.key()));
        return freed;
    }

    boolean revoke(String key) {
        boolean changed = now(memory.revoke(key));
        ledger.revoked(key);
        return changed;
    }

    boolean forceRelease(String key) {
        boolean changed = now(memory.forceRelease(key));
        ledger.forced(key);
        return changed;
    }
}
