package dev.tenure.channel;

import dev.tenure.Lease;
import dev.tenure.channel.LeaderChannel.Admitted;
import dev.tenure.engine.ChannelHost;
import dev.tenure.engine.Time;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * On the engine's leases, which are judged under the lock: that calls no user code and waits for nothing. Whoever leaves
 * the lock leaves writes waiting only if the buffer is full.
 */
final class EngineQueue<T> extends GatedQueue<T> {
    private final ChannelHost host;
    private final Pace pace;

    EngineQueue(ChannelHost host, Time time, int capacity, FullMode mode, boolean drainOnLoss) {
        super(capacity, mode, drainOnLoss);
        this.host = host;
        this.pace = new Pace(time);
    }

    @Override
    Written write(T item, Lease lease) {
        Written written;
        CountDownLatch reader = null;
        lock.lock();
        try {
            written = written(item, lease);
            if (written == Written.KEPT) {
                reader = readerToWake();
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
        if (isClosed()) {
            return Written.CLOSED;
        }
        boolean held = drainOnLoss ? lease.isHeld() : pace.admits(lease);
        return held ? append(item, lease) : Written.FOLLOWER; // what is over may have been drained already
    }

    @Override
    void lineUp(Waiting<T> write) {
        lock.lock();
        try {
            addWaiting(write);
            settled();
        } finally {
            lock.unlock();
        }
    }

    @Override
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
            if (lease != null && !hasRoom()) {
                return;
            }
            Iterator<Waiting<T>> all = waiting.iterator();
            Waiting<T> first = all.next();
            all.remove();
            decide(first, lease);
        }
    }

    /**
     * A look at an empty buffer takes no lock: it would keep writers from it.
     */
    @Override
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

    @Override
    void drain() {
        lock.lock();
        try {
            discardEnded();
            settled();
        } finally {
            lock.unlock();
        }
    }

    private void discardEnded() {
        Lease first = buffer.firstLease();
        while (first != null && !first.isHeld()) {
            discardFirst();
            first = buffer.firstLease();
        }
    }
}
