package dev.tenure.channel;

import dev.tenure.Lease;
import dev.tenure.channel.LeaderChannel.Admitted;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Items in order, each with the lease that admitted it. Grows as it fills; does not bound itself. Not thread-safe.
 *
 * <p>Two arrays instead of one of pairs: the pair is made by whoever reads, and a slot that had the same lease before is
 * not written again, so that writers and readers on two processors share less memory.
 */
final class ItemRing<T> {
    private static final VarHandle SIZE = sizeField();
    private static final int FIRST = 16; // a power of two, as each length

    private @Nullable Object[] items = new @Nullable Object[FIRST];
    private @Nullable Lease[] leases = new @Nullable Lease[FIRST];
    private int head;
    private int size;

    private static VarHandle sizeField() {
        try {
            return MethodHandles.lookup().findVarHandle(ItemRing.class, "size", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    int size() {
        return size;
    }

    /**
     * For any thread, at any time.
     */
    boolean looksEmpty() {
        return (int) SIZE.getOpaque(this) == 0;
    }

    void addLast(T item, Lease lease) {
        if (size == items.length) {
            grow();
        }
        int slot = slot(size);
        items[slot] = item;
        if (leases[slot] != lease) {
            leases[slot] = lease;
        }
        size++;
    }

    /**
     * Null if there is none.
     */
    @Nullable
    Admitted<T> pollFirst() {
        if (size == 0) {
            return null;
        }
        int slot = head;
        head = slot(1);
        return taken(slot);
    }

    /**
     * The lease of the first; null if there is none.
     */
    @Nullable
    Lease firstLease() {
        return size == 0 ? null : leases[head];
    }

    @Nullable
    Admitted<T> pollLast() {
        return size == 0 ? null : taken(slot(size - 1));
    }

    private Admitted<T> taken(int slot) {
        @SuppressWarnings("unchecked") // only addLast() puts any in
        T item = (T) Objects.requireNonNull(items[slot]);
        items[slot] = null;
        size--;
        return new Admitted<>(item, Objects.requireNonNull(leases[slot]));
    }

    private int slot(int index) {
        return (head + index) & (items.length - 1);
    }

    private void grow() {
        @Nullable Object[] moreItems = unrolled(items);
        @Nullable Lease[] moreLeases = unrolled(leases);
        items = moreItems; // both or none
        leases = moreLeases;
        head = 0;
    }

    private <E> @Nullable E[] unrolled(@Nullable E[] from) {
        @Nullable E[] to = Arrays.copyOfRange(from, head, head + 2 * from.length);
        System.arraycopy(from, 0, to, from.length - head, head);
        return to;
    }
}
