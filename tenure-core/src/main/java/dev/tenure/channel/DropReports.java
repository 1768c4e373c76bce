package dev.tenure.channel;

import dev.tenure.channel.LeaderChannel.Drops;
import dev.tenure.engine.ChannelHost;
import dev.tenure.engine.Time;
import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the drops of a channel, and tells log and monitors of them now and then. To be called without a lock.
 */
final class DropReports {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderChannel.class);
    private static final long LONG_AGO = Long.MIN_VALUE / 2;
    private static final int SOON = 1024; // that part of the interval

    private final String channel;
    private final ChannelHost host;
    private final long interval;
    private final Time time;
    private final Tally follower = new Tally();
    private final Tally full = new Tally();
    private final Tally loss = new Tally();
    private final AtomicLong lastLine = new AtomicLong(LONG_AGO);
    private volatile long lastLook = LONG_AGO;

    DropReports(String channel, ChannelHost host, Duration interval, Time time) {
        this.channel = channel;
        this.host = host;
        this.interval = interval.toNanos();
        this.time = time;
    }

    void follower(long count) {
        if (follower.add(count)) {
            look(follower);
        }
    }

    void full() {
        if (full.add(1)) {
            look(full);
        }
    }

    void loss() {
        if (loss.add(1)) {
            look(loss);
        }
    }

    /**
     * The buffer of an ended term was discarded: logged at once, for that happens once in a term.
     */
    void discarded(long count) {
        loss.addTold(count);
        write(line(CoreEvent.CHANNEL_DISCARDED, count));
        tell("loss", count);
    }

    Drops drops() {
        return new Drops(follower.total(), full.total(), loss.total());
    }

    /**
     * Sums up what was not told yet, however short ago the last line was.
     */
    void tail() {
        if (sumUp()) {
            lastLine.set(time.now());
        }
        follower.looked(false);
        full.looked(false);
        loss.looked(false);
    }

    private void look(Tally counted) {
        long now = time.now();
        counted.looked(now - lastLook < interval / SOON);
        lastLook = now;
        long last = lastLine.get();
        if (now - last >= interval && lastLine.compareAndSet(last, now)) {
            sumUp();
        }
    }

    private boolean sumUp() {
        long followers = follower.takeNew();
        long fulls = full.takeNew();
        long losses = loss.takeNew();
        long all = followers + fulls + losses;
        if (all == 0) {
            return false;
        }
        write(line(fulls > 0 ? CoreEvent.CHANNEL_FULL : CoreEvent.CHANNEL_DROPPED, all)
                .with("follower", followers)
                .with("full", fulls)
                .with("loss", losses));
        tell("follower", followers);
        tell("full", fulls);
        tell("loss", losses);
        return true;
    }

    private void tell(String reason, long count) {
        if (count > 0) {
            host.itemsDropped(channel, reason, count);
        }
    }

    private LogLine line(CoreEvent event, long items) {
        return LogLine.of(LOG, event)
                .with("channel", channel)
                .with("role", host.role())
                .with("items", items);
    }

    /**
     * A log that fails is no matter of whoever writes to a channel, and does not end a term.
     */
    private static void write(LogLine line) {
        try {
            line.write();
        } catch (RuntimeException | Error unheard) {
            // the counts are right, and there is nobody else to tell
        }
    }
}
