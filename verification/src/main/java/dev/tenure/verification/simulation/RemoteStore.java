package dev.tenure.verification.simulation;

import dev.tenure.Registration;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The store as one instance reaches it: over its machine's wire.
 */
final class RemoteStore implements LeaseStore {
    private final World world;
    private final Instance instance;
    private final Wire wire;
    private final Server server;
    private final Dice dice;
    private final List<Registration> watches = new ArrayList<>();
    private final List<Runnable> wakeUps = new ArrayList<>();

    RemoteStore(World world, Instance instance, Wire wire) {
        this.world = world;
        this.instance = instance;
        this.wire = wire;
        server = world.server();
        dice = world.dice().split();
    }

    @Override
    public StoreTraits traits() {
        return world.scenario().traits();
    }

    private <T> CompletableFuture<T> ask(Wire.Service<T> service) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (!instance.isDead()) {
            wire.ask(service, answer, instance::deliver);
        }
        return answer;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
        String incarnation = request.holder().incarnation();
        instance.asked(request.key(), incarnation);
        long local = instance.clock().now();
        long global = world.agenda().now();
        world.note(instance.name(), "acquire", incarnation, request.tokenFloor());
        CompletableFuture<AcquireResult> answer = ask(stray -> server.acquire(request, stray));
        return answer.thenApply(result -> {
            if (result instanceof Granted granted) {
                instance.confirmed(request.key(), granted.token(), local, global);
            }
            return result;
        });
    }

    @Override
    public CompletionStage<RenewResult> renew(Claim claim) {
        return renewAll(List.of(claim)).get(0);
    }

    @Override
    public List<CompletionStage<RenewResult>> renewAll(List<Claim> claims) {
        long local = instance.clock().now();
        long global = world.agenda().now();
        List<CompletableFuture<RenewResult>> answers = new ArrayList<>();
        List<CompletionStage<RenewResult>> stages = new ArrayList<>();
        for (Claim claim : claims) {
            world.note(instance.name(), "renew", claim.holder().incarnation(), claim.token());
            CompletableFuture<RenewResult> answer = new CompletableFuture<>();
            answers.add(answer);
            stages.add(answer.thenApply(result -> judged(claim, result, local, global)));
        }
        world.tally().count(claims.size() > 1 ? "batches of several" : "batches of one");
        CompletableFuture<List<Object>> all = ask(stray -> serve(claims, stray));
        all.whenComplete((results, error) -> {
            for (int i = 0; i < answers.size(); i++) {
                complete(answers.get(i), error != null ? error : results.get(i));
            }
        });
        return stages;
    }

    private RenewResult judged(Claim claim, RenewResult result, long local, long global) {
        world.note(instance.name(), "answer " + result, claim.holder().incarnation(), claim.token());
        if (result == RenewResult.RENEWED) {
            instance.confirmed(claim.key(), claim.token(), local, global);
        } else {
            instance.refused(claim.holder().incarnation());
        }
        return result;
    }

    /**
     * A result or an exception for each claim.
     */
    private List<Object> serve(List<Claim> claims, boolean stray) {
        boolean stormy = world.weather().isStormy();
        if (claims.size() > 1 && stormy && dice.chance(0.05)) {
            world.tally().count("fault: batch failed as a whole");
            throw new StoreUnavailableException("statement failed", null);
        }
        int bad = claims.size() > 1 && stormy && dice.chance(0.1) ? dice.pick(0, claims.size()) : -1;
        List<Object> results = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            if (i == bad) {
                world.tally().count("fault: one claim of a batch failed");
                results.add(new StoreUnavailableException("this record is blocked", null));
            } else {
                results.add(server.renew(claims.get(i), stray));
            }
        }
        return results;
    }

    private static void complete(CompletableFuture<RenewResult> answer, Object result) {
        if (result instanceof RenewResult renewed) {
            answer.complete(renewed);
        } else {
            answer.completeExceptionally((Throwable) result);
        }
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        world.note(instance.name(), "release", claim.holder().incarnation(), claim.token());
        return ask(stray -> server.release(claim));
    }

    @Override
    public CompletionStage<Boolean> revoke(String key) {
        return ask(stray -> server.revoke(key));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key) {
        return ask(stray -> server.forceRelease(key));
    }

    @Override
    public CompletionStage<Void> acceptToken(String key, long token) {
        throw new UnsupportedOperationException("not simulated");
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> read(String key) {
        return ask(stray -> server.present(key));
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list() {
        throw new UnsupportedOperationException("the engine never lists");
    }

    @Override
    public Registration watch(String key, Runnable wakeUp) {
        if (!world.scenario().push()) {
            return () -> {};
        }
        Registration watch = server.memory().watch(key, () -> wire.hint(wakeUp, instance::deliver));
        watches.add(watch);
        wakeUps.add(wakeUp);
        return () -> {
            wakeUps.remove(wakeUp);
            watches.remove(watch);
            watch.remove();
        };
    }

    /**
     * Hints for nothing.
     */
    void wakeAll() {
        wakeUps.forEach(wakeUp -> wire.hint(wakeUp, instance::deliver));
    }

    @Override
    public void close() {
        watches.forEach(Registration::remove);
        watches.clear();
    }
}
