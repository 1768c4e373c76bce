package dev.tenure.test;

import dev.tenure.Leader;
import dev.tenure.LeaderWatch;
import dev.tenure.Leadership;
import dev.tenure.NoLeaderException;
import dev.tenure.Registration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Those who follow who leads.
 */
final class FakeWatches {
    private final Leadership leadership;
    private final FakeRegistrations registrations;
    private final FakeFailures failures;
    private final List<Follower> followers = new CopyOnWriteArrayList<>();

    FakeWatches(Leadership leadership, FakeRegistrations registrations, FakeFailures failures) {
        this.leadership = leadership;
        this.registrations = registrations;
        this.failures = failures;
    }

    LeaderWatch open() {
        return new Watch();
    }

    /**
     * Perhaps somebody else leads.
     */
    void changed() {
        followers.forEach(Follower::tell);
    }

    /**
     * A listener and what it was told last.
     */
    private final class Follower {
        private final Consumer<? super Optional<Leader>> listener;
        private final FakeMailbox mailbox = new FakeMailbox();
        private volatile boolean removed;
        private boolean toldOnce; // touched in the mailbox only, as the next
        private Optional<Leader> told = Optional.empty();

        Follower(Consumer<? super Optional<Leader>> listener) {
            this.listener = listener;
        }

        void tell() {
            Optional<Leader> leader = leadership.leader();
            mailbox.add(() -> failures.guard("listener of a watch", () -> {
                if (!removed && !(toldOnce && leader.equals(told))) {
                    toldOnce = true;
                    told = leader;
                    listener.accept(leader);
                }
            }));
            mailbox.run();
        }
    }

    private final class Watch implements LeaderWatch {
        private final List<Registration> own = new CopyOnWriteArrayList<>();
        private volatile boolean closed;

        @Override
        public String role() {
            return leadership.role();
        }

        @Override
        public Optional<Leader> leader() {
            return leadership.leader();
        }

        @Override
        public Leader requireLeader() {
            return leader().orElseThrow(() -> new NoLeaderException(role()));
        }

        @Override
        public Registration onChange(Consumer<? super Optional<Leader>> listener) {
            Follower follower = new Follower(listener);
            Registration registered = registrations.add("onChange of a watch", () -> {
                follower.removed = true;
                followers.remove(follower);
            });
            own.add(registered);
            followers.add(follower);
            follower.tell();
            if (closed) {
                registered.remove();
            }
            return registered;
        }

        @Override
        public void close() {
            closed = true;
            own.forEach(Registration::remove);
        }
    }
}
