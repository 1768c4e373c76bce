package dev.tenure.engine;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Daemon threads for user code: as many as run at once, none when idle for long. After the end of its Tenure, what is
 * left to tell runs on the thread that tells it.
 */
final class CallbackThreads extends ThreadPoolExecutor {
    private static final long KEEP_SECONDS = 5;

    CallbackThreads() {
        super(0, Integer.MAX_VALUE, KEEP_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), numbered());
        setRejectedExecutionHandler((task, closed) -> task.run());
    }

    private static ThreadFactory numbered() {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "tenure-callback-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
