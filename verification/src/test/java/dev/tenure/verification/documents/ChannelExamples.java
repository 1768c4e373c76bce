package dev.tenure.verification.documents;

import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import dev.tenure.Tenure;
import dev.tenure.channel.FullMode;
import dev.tenure.channel.LeaderChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The Java of the guide to channels, so that it compiles.
 */
final class ChannelExamples {
    record Change(long id) {}

    interface Feed {
        void subscribe(Consumer<Change> subscriber);
    }

    interface Downstream {
        void send(Change change, FencingToken token);
    }

    static final class WarmStandby implements AutoCloseable {
        private final Tenure tenure;
        private final LeaderChannel<Change> changes;
        private final Thread sender;

        WarmStandby(String store, Feed feed, Downstream downstream) { // "redis://localhost:6379", for instance
            tenure = Tenure.connect(store);
            LeaderElector inventory = tenure.elector("inventory");
            changes = LeaderChannel.<Change>builder("inventory-changes", inventory)
                    .capacity(1_000)
                    .build();
            sender = new Thread(() -> send(downstream), "sender");
            sender.start();
            feed.subscribe(changes::offer); // on every instance; discarded unless this one leads
            inventory.start();
        }

        private void send(Downstream downstream) {
            try {
                changes.forEach((change, lease) -> downstream.send(change, lease.fencingToken()));
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            changes.close(); // keeps nothing more; forEach returns when what is buffered has been sent
            try {
                sender.join(10_000); // while the term lasts: forEach drops what an ended term admitted
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
            tenure.close();
        }
    }

    static void oneByOne(LeaderChannel<Change> changes, Downstream downstream) throws InterruptedException {
        LeaderChannel.Admitted<Change> next = changes.take();
        if (next.isCurrent()) {
            downstream.send(next.item(), next.lease().fencingToken());
        }
    }

    static LeaderChannel<Change> options(LeaderElector inventory) {
        LeaderChannel<Change> changes = LeaderChannel.<Change>builder("inventory-changes", inventory)
                .capacity(1_000)
                .whenFull(FullMode.WAIT)
                .drainOnLoss(true)
                .dropReportInterval(Duration.ofMinutes(5))
                .build();
        return changes;
    }

    static CompletableFuture<Void> withoutAThread(LeaderChannel<Change> changes, Change change) {
        CompletableFuture<Void> taken = changes.putAsync(change);
        taken.orTimeout(2, TimeUnit.SECONDS); // takes the item back if it still waits
        return taken;
    }
}
