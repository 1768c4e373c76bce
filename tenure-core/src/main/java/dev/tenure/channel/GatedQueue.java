package dev.tenure.channel;

import dev.tenure.Lease;
import dev.tenure.channel.LeaderChannel.Admitted;
import dev.tenure.engine.ChannelHost;
import dev.tenure.engine.Time;
import java.util.ArrayDeque;
import java.util.Iterator;
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
 * done about it can be taken afterwards. Whoever leaves the lock leaves writes waiting only if the buffer is full.
 */
final class GatedQueue<T> {
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

    private final ChannelHost host;
    private final int capacity;
    private final FullMode mode;
    private final boolean drainOnLoss;
    private final ReentrantLock lock = new ReentrantLock();
    private final @Nullable Pace pace; // null: the lease was asked before
    private final ItemRing<T> buffer = new ItemRing<>();
    private final Set<Waiting<T>> waiting = new LinkedHashSet<>();
    private final ArrayDeque<CountDownLatch> readers = new ArrayDeque<>();
    private final Queue<Waiting<T>> ended = new ConcurrentLinkedQueue<>();
    private final AtomicLong discarded = new AtomicLong();
    private final AtomicInteger untold = new AtomicInteger(); // at least as many as have ended: cheaper to look at
    private volatile boolean closed;

    GatedQueue(ChannelHost host, int capacity, FullMode mode, boolean drainOnLoss) {
        this.host = host;
        this.capacity = capacity;
        this.mode = mode;
        this.drainOnLoss = drainOnLoss;
        Time time = host.time();
        this.pace = time == null ? null : new Pace(time);
    }

    boolean drainsOnLoss() {
        return drainOnLoss;
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Writes for a leader.
     *
     * @param lease was not known to have ended just now
     */
    Written write(T item, Lease lease) {
        Written written;
        CountDownLatch reader = null;
        lock.lock();
        try {
            written = written(item, lease);
            if (written == Written.KEPT) {
                reader = readers.pollFirst();
            }
        } finally {
            lock.unlock();
        }
        if (reader != null) {
            reader.countDown();
        }
        return written;
    }

    private Written written(T item, Lease lease) {
        if (closed) {
            return Written.CLOSED;
        }
        boolean over = drainOnLoss ? !lease.isHeld() : pace != null && !pace.admits(lease);
        if (over) {
            return Written.FOLLOWER; // may have been drained already
        }
        if (buffer.size() < capacity) {
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

    /**
     * Lines up a write, and settles.
     */
    void lineUp(Waiting<T> write) {
        lock.lock();
        try {
            if (closed) {
                end(write, Waiting.End.CLOSED);
            } else {
                waiting.add(write);
                settled();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the wait of those whose time has come.
     */
    void settle() {
        lock.lock();
        try {
            settled();
        } finally {
            lock.unlock();
        }
    }

    private void settled() {
        while (!waiting.isEmpty()) {
            Lease lease = host.held();
            if (lease == null) {
                endAll(Waiting.End.FOLLOWER);
            } else if (buffer.size() < capacity) {
                Iterator<Waiting<T>> all = waiting.iterator();
                Waiting<T> first = all.next();
                all.remove();
                buffer.addLast(first.keptUnder(lease), lease);
                hasEnded(first);
            } else {
                return;
            }
        }
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
     * An item if there is one. A look at an empty buffer takes no lock: it would keep writers from it.
     */
    @Nullable
    Admitted<T> poll() {
        if (buffer.looksEmpty()) {
            return null;
        }
        lock.lock();
        try {
            if (drainOnLoss) {
                discardEnded();
                settled();
            }
            Admitted<T> next = buffer.pollFirst();
            settled();
            return next;
        } finally {
            lock.unlock();
        }
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
     * Discards what ended terms admitted, and settles.
     */
    void drain() {
        lock.lock();
        try {
            discardEnded();
            settled();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Terms follow each other, so that those which are over stand in front.
     */
    private void discardEnded() {
        Lease first = buffer.firstLease();
        while (first != null && !first.isHeld()) {
            buffer.pollFirst();
            discarded.incrementAndGet();
            first = buffer.firstLease();
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
