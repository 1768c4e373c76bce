package dev.tenure.test;

import dev.tenure.LeaseStores;
import dev.tenure.spi.BlockingLeaseStore;
import dev.tenure.spi.LeaseStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * The contract on documents, by whichever store.
 */
class DocumentContract extends LeaseStoreContract {
    private final DocumentDb db = new DocumentDb();
    private final Function<DocumentDb, BlockingLeaseStore> stores;

    DocumentContract(Function<DocumentDb, BlockingLeaseStore> stores) {
        this.stores = stores;
    }

    @Override
    protected LeaseStore open() {
        return LeaseStores.blocking(stores.apply(db));
    }

    @Override
    protected void pass(Duration time) {
        db.time().pass(time);
    }

    @Override
    protected boolean exactTime() {
        return true;
    }

    @Override
    protected Optional<Runnable> unknownVersion(String key) {
        return Optional.of(() -> db.put(key, liveDocument(key).inVersion(99)));
    }

    @Override
    protected Optional<Runnable> broken(String key) {
        return Optional.of(() -> db.put(key, liveDocument(key).inVersion(Document.UNREADABLE)));
    }

    private Document liveDocument(String key) {
        return db.get(key).endingAt(db.time().wall().plus(roomy()));
    }

    @Override
    protected Optional<AutoCloseable> block(String key) {
        return Optional.of(db.lock(key));
    }
}
