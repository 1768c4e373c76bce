package dev.tenure.channel;

import dev.tenure.Lease;
import dev.tenure.channel.LeaderChannel.Admitted;
import dev.tenure.engine.ChannelHost;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * On a leadership that is not the engine's: to ask it or its leases may wait for a lock, call listeners that come back
 * here, or throw. So they are asked without the lock, and the answer is used under it only for what it was asked for: the
 * items in front that have that lease still, the writes that had lined up before. A drain in between makes answers void,
 * for nobody would drain again what is buffered by them.
 */
final class PlainQueue<T> extends GatedQueue<T> {
    private final ChannelHost host;
    private final AtomicLong drains = new AtomicLong(); // begun so far
    private volatile boolean unsettled;

    PlainQueue(ChannelHost host, int capacity, FullMode mode, boolean drainOnLoss) {
        super(capacity, mode, drainOnLoss);
        this.host = host;
    }

    /**
     * What room there is belongs to those that wait.
     */
    @Override
    boolean hasRoom() {
        return super.hasRoom() && waiting.isEmpty();
    }

    @Override
    Written write(T item, Lease lease) {
        Written written = writeUnlessDrained(item, lease);
        while (written == null) {
            written = writeUnlessDrained(item, lease);
        }
        return written;
    }

    /**
     * Null if it is to be tried again.
     */
    private @Nullable Written writeUnlessDrained(T item, Lease lease) {
        long before = drains.get();
        if (drainOnLoss && !lease.isHeld()) {
            return Written.FOLLOWER;
        }
        Written written;
        boolean reserved;
        CountDownLatch reader = null;
        lock.lock();
        try {
            if (isClosed()) {
                return Written.CLOSED;
            }
            if (before != drains.get()) {
                return null;
            }
            written = append(item, lease);
            reserved = written == Written.NO_ROOM && super.hasRoom();
            if (written == Written.KEPT) {
                reader = readerToWake();
            }
        } finally {
            lock.unlock();
        }
        if (reader != null) {
            reader.countDown();
        }
        if (reserved) {
            settle();
            return null;
        }
        return written;
    }

    @Override
    void lineUp(Waiting<T> write) {
        lock.lock();
        try {
            addWaiting(write);
        } finally {
            lock.unlock();
        }
        settle();
    }

    @Override
    void settle() {
        long upTo = toSettle();
        while (upTo > 0) {
            long before = drains.get();
            upTo = settled(host.held(), upTo, before);
        }
        unsettled = false;
    }

    /**
     * Zero if nobody waits.
     */
    private long toSettle() {
        lock.lock();
        try {
            return waiting.isEmpty() ? 0 : linedUp();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Zero if no more is to be done: those that lined up later see to themselves unless there is room.
     */
    private long settled(@Nullable Lease lease, long upTo, long before) {
        lock.lock();
        try {
            boolean valid = before == drains.get();
            if (valid) {
                Iterator<Waiting<T>> all = waiting.iterator();
                while (all.hasNext() && (lease == null || super.hasRoom())) {
                    Waiting<T> first = all.next();
                    if (first.number() > upTo) {
                        break;
                    }
                    all.remove();
                    decide(first, lease);
                }
            }
            return waiting.isEmpty() || (valid && !super.hasRoom()) ? 0 : linedUp();
        } finally {
            lock.unlock();
        }
    }

    @Override
    @Nullable
    Admitted<T> poll() {
        if (unsettled) {
            settle();
        }
        if (buffer.looksEmpty()) {
            return null;
        }
        Admitted<T> next = drainOnLoss ? pollHeld() : pollAny();
        settleAfterRead();
        return next;
    }

    private @Nullable Admitted<T> pollAny() {
        lock.lock();
        try {
            return buffer.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Admitted<T> pollHeld() {
        for (Lease first = firstLease(); first != null; first = firstLease()) {
            if (!first.isHeld()) {
                discard(first);
                settle();
            } else {
                Admitted<T> next = pollIfOf(first);
                if (next != null) {
                    return next;
                }
            }
        }
        return null;
    }

    /**
     * The item is the reader's already, whatever the leadership throws; who waits is seen to at the next read.
     */
    private void settleAfterRead() {
        try {
            settle();
        } catch (RuntimeException | Error unanswered) {
            unsettled = true;
        }
    }

    @Override
    void drain() {
        drains.incrementAndGet(); // whoever has the lock now is seen below
        Lease first = firstLease();
        while (first != null && !first.isHeld()) {
            discard(first);
            first = firstLease();
        }
        settle();
    }

    private @Nullable Lease firstLease() {
        lock.lock();
        try {
            return buffer.firstLease();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Null if another lease has admitted the first item by now.
     */
    private @Nullable Admitted<T> pollIfOf(Lease lease) {
        lock.lock();
        try {
            return buffer.firstLease() == lease ? buffer.pollFirst() : null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * All in front that this lease, which is over, has admitted.
     */
    private void discard(Lease over) {
        lock.lock();
        try {
            while (buffer.firstLease() == over) {
                discardFirst();
            }
        } finally {
            lock.unlock();
        }
    }
}
