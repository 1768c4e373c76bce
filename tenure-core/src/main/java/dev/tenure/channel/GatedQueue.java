package dev.tenure.channel;

import dev.tenure.Lease;
import dev.tenure.channel.LeaderChannel.Admitted;
import dev.tenure.engine.ChannelHost;
import dev.tenure.engine.Time;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is buffered and who waits, under one lock. Completes no future, logs nothing, calls no user code: what is to be
 * done about it can be taken afterwards. How leases are judged is up to those that extend it.
 */
abstract class GatedQueue<T> {
    /**
     * What became of a leader's write.
     */
    enum Written {
        KEPT,
        /**
         * Kept, and another was dropped for it.
         */
        IN_PLACE_OF_ANOTHER,
        DROPPED,
        /**
         * The term is over.
         */
        FOLLOWER,
        NO_ROOM,
        CLOSED
    }

    final boolean drainOnLoss;
    final ReentrantLock lock = new ReentrantLock();
    final ItemRing<T> buffer = new ItemRing<>(); // under the lock
    final Set<Waiting<T>> waiting = new LinkedHashSet<>(); // under the lock
    private final int capacity;
    private final FullMode mode;
    private final ArrayDeque<CountDownLatch> readers = new ArrayDeque<>();
    private final Queue<Waiting<T>> ended = new ConcurrentLinkedQueue<>();
    private final AtomicLong discarded = new AtomicLong();
    private final AtomicInteger untold = new AtomicInteger(); // at least as many as have ended: cheaper to look at
    private long linedUp; // under the lock
    private volatile boolean closed;

    GatedQueue(int capacity, FullMode mode, boolean drainOnLoss) {
        this.capacity = capacity;
        this.mode = mode;
        this.drainOnLoss = drainOnLoss;
    }

    static <T> GatedQueue<T> of(ChannelHost host, int capacity, FullMode mode, boolean drainOnLoss) {
        Time time = host.time();
        return time == null
                ? new PlainQueue<>(host, capacity, mode, drainOnLoss)
                : new EngineQueue<>(host, time, capacity, mode, drainOnLoss);
    }

    /**
     * Writes for a leader.
     *
     * @param lease was not known to have ended just now
     */
    abstract Written write(T item, Lease lease);

    /**
     * Lines up a write, and settles.
     */
    abstract void lineUp(Waiting<T> write);

    /**
     * Ends the wait of those whose time has come.
     */
    abstract void settle();

    /**
     * An item if there is one, of a term that is not over if those are discarded; settles.
     */
    abstract @Nullable Admitted<T> poll();

    /**
     * Discards what ended terms admitted, and settles. Terms follow each other, so that those which are over stand in
     * front.
     */
    abstract void drain();

    boolean drainsOnLoss() {
        return drainOnLoss;
    }

    boolean isClosed() {
        return closed;
    }

    // under the lock

    boolean hasRoom() {
        return buffer.size() < capacity;
    }

    /**
     * Writes for one that leads, unless closed. After {@link Written#KEPT} one that is {@link #readerToWake} is to be
     * woken without the lock.
     */
    Written append(T item, Lease lease) {
        if (hasRoom()) {
            buffer.addLast(item, lease);
            return Written.KEPT;
        }
        switch (mode) {
            case WAIT -> {
                return Written.NO_ROOM;
            }
            case DROP_WRITE -> {
                return Written.DROPPED;
            }
            case DROP_OLDEST -> buffer.pollFirst();
            case DROP_NEWEST -> buffer.pollLast();
        }
        buffer.addLast(item, lease);
        return Written.IN_PLACE_OF_ANOTHER;
    }

    @Nullable
    CountDownLatch readerToWake() {
        return readers.pollFirst();
    }

    void addWaiting(Waiting<T> write) {
        if (closed) {
            end(write, Waiting.End.CLOSED);
        } else {
            write.linedUpAs(++linedUp);
            waiting.add(write);
        }
    }

    /**
     * How many have lined up so far.
     */
    long linedUp() {
        return linedUp;
    }

    /**
     * Keeps or discards one that waited, and waits no more.
     *
     * @param lease null to discard it
     */
    void decide(Waiting<T> write, @Nullable Lease lease) {
        if (lease == null) {
            end(write, Waiting.End.FOLLOWER);
        } else {
            buffer.addLast(write.keptUnder(lease), lease);
            hasEnded(write);
        }
    }

    void discardFirst() {
        buffer.pollFirst();
        discarded.incrementAndGet();
    }

    private void endAll(Waiting.End how) {
        waiting.forEach(write -> end(write, how));
        waiting.clear();
    }

    private void end(Waiting<T> write, Waiting.End how) {
        write.endedAs(how);
        hasEnded(write);
    }

    private void hasEnded(Waiting<T> write) {
        untold.incrementAndGet();
        ended.add(write);
    }

    // without it

    /**
     * True if it still waited, and does not any more.
     */
    boolean takeBack(Waiting<T> write) {
        lock.lock();
        try {
            return waiting.remove(write);
        } finally {
            lock.unlock();
        }
    }

    boolean isAnyWaiting() {
        lock.lock();
        try {
            return !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * One whose wait has ended and who was not told yet, by whoever asks now.
     */
    @Nullable
    Waiting<T> takeEnded() {
        if (untold.get() == 0) {
            return null;
        }
        Waiting<T> next = ended.poll();
        if (next != null) {
            untold.decrementAndGet();
        }
        return next;
    }

    /**
     * Waits until there may be something to poll, at most so many nanoseconds; not if closed.
     */
    void awaitNotEmpty(long nanos) throws InterruptedException {
        CountDownLatch wake = new CountDownLatch(1);
        lock.lock();
        try {
            if (buffer.size() > 0 || closed) {
                return;
            }
            readers.addLast(wake);
        } finally {
            lock.unlock();
        }
        try {
            if (!wake.await(nanos, TimeUnit.NANOSECONDS)) {
                withdraw(wake);
            }
        } catch (InterruptedException stop) {
            if (!withdraw(wake)) {
                wakeReader(); // another in place of this one
            }
            throw stop;
        }
    }

    private boolean withdraw(CountDownLatch reader) {
        lock.lock();
        try {
            return readers.remove(reader);
        } finally {
            lock.unlock();
        }
    }

    /**
     * One reader for one item. Whoever began to wait after the item was there has seen it.
     */
    void wakeReader() {
        CountDownLatch first;
        lock.lock();
        try {
            first = readers.pollFirst();
        } finally {
            lock.unlock();
        }
        if (first != null) {
            first.countDown();
        }
    }

    /**
     * How many were discarded since this was asked last.
     */
    long takeDiscarded() {
        return discarded.get() == 0 ? 0 : discarded.getAndSet(0);
    }

    int size() {
        lock.lock();
        try {
            return buffer.size();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        List<CountDownLatch> waking;
        lock.lock();
        try {
            closed = true;
            endAll(Waiting.End.CLOSED);
            waking = List.copyOf(readers);
            readers.clear();
        } finally {
            lock.unlock();
        }
        waking.forEach(CountDownLatch::countDown);
    }
}
