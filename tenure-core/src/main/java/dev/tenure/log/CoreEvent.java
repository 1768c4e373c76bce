package dev.tenure.log;

import java.util.List;
import org.slf4j.event.Level;

/**
 * What core tells.
 */
public enum CoreEvent implements LogEvent {
    // elections
    CANDIDATE_STARTED(Level.INFO, "stands: {role}", "role", "key", "store", "instance"),
    CANDIDATE_STOPPED(Level.INFO, "stands no longer: {role}", "role", "key", "store"),
    LEADERSHIP_ACQUIRED(Level.INFO, "elected: {role}", "role", "token", "term", "key", "store"),
    LEADERSHIP_LOST(Level.WARN, "leadership lost: {role}", "role", "token", "term", "reason", "held_ms"),
    LEADERSHIP_ENDED(Level.INFO, "leadership ended: {role}", "role", "token", "term", "reason", "held_ms"),
    LEASE_RELEASED(Level.INFO, "released: {role}", "role", "token", "term"),
    LEASE_NOT_RELEASED(Level.WARN, "not released: {role}", "role", "token", "term", "outcome"),
    RELEASE_UNCONFIRMED(
            Level.DEBUG, "not confirmed as released within the call limit: {role}", "role", "token", "term"),
    LEASE_DROPPED(
            Level.WARN,
            "a lease of {role} was dropped unclosed and stays held; it was acquired where the trace shows",
            "role",
            "token",
            "term"),
    UNCOORDINATED_FOLLOWS(
            Level.WARN,
            "store {store} does not coordinate: {role} is never led here (whenUncoordinated)",
            "role",
            "store"),
    UNCOORDINATED_LEADS(
            Level.WARN,
            "store {store} does not coordinate: {role} is led by every instance at once (whenUncoordinated)",
            "role",
            "store"),
    INSTANCE_NAME_TAKEN(
            Level.WARN,
            "the holder of {role} has the name of this instance, {instance}: the same name is in use twice, or this"
                    + " process was restarted; leadership is told apart all the same",
            "role",
            "instance"),

    // the store
    STORE_UNAVAILABLE(
            Level.WARN,
            "store gives no answer: {store} role={role}; trying again until it answers",
            "role",
            "store",
            "error"),
    STORE_REJECTS(
            Level.WARN,
            "store refuses this client: {store} role={role}; trying again until it answers",
            "role",
            "store",
            "error"),
    TOKEN_IMPLAUSIBLE(
            Level.WARN,
            "store grants nothing, since a token cannot be right: {store} role={role}; trying again until it answers",
            "role",
            "store",
            "error"),
    STORE_STILL_FAILING(
            Level.WARN, "store still fails: {store} for {outage_ms}", "store", "outage_ms", "elections", "error"),
    STORE_RECOVERED(Level.INFO, "store answers again: {store} after {outage_ms}", "store", "outage_ms"),
    TOKEN_REGRESSED(
            Level.ERROR,
            "token {token} of {role} is not above {highest}, seen before: the store {store} was restored or exchanged;"
                    + " not leading. After a check: tenure fence accept {role}",
            "role",
            "token",
            "highest",
            "store"),
    WATCHING_FAILED(Level.WARN, "watching {key} failed; it is polled", "key"),
    WAKEUP_FAILED(Level.WARN, "a wake-up for {key} failed", "key"),
    STORE_CLOSE_FAILED(Level.WARN, "closing the store failed: {store}", "store"),

    // clocks
    WALL_CLOCK_JUMPED(Level.WARN, "the wall clock jumped by {jump_ms}; leases are renewed now", "jump_ms"),
    MACHINE_SUSPENDED(
            Level.WARN,
            "this machine was suspended for {suspended_ms}; leases with a smaller margin are given up",
            "suspended_ms"),

    // user code
    WORK_FAILED(Level.WARN, "fault survived: role={role} where={where}", "role", "where"),
    WORK_BACKS_OFF(
            Level.WARN,
            "leader work of {role} failed, times in a row={failures}: it stands again no sooner than {pause_ms} after it"
                    + " has ended ({option})",
            "role",
            "failures",
            "pause_ms",
            "option"),
    WORK_NOT_STARTED(Level.DEBUG, "leader work is not started: {role}", "role", "token", "term"),
    HEALTH_CHECK_FAILED(Level.WARN, "fault survived: role={role} where={where}", "role", "where"),
    LISTENER_FAILED(Level.WARN, "fault survived: role={role} where={where}", "role", "where"),
    CALLBACK_FAILED(Level.WARN, "{where} threw", "where", "role"),
    WATCH_LISTENER_FAILED(Level.WARN, "a listener of a watch threw", "role"),
    METADATA_FAILED(Level.WARN, "fault survived: role={role} where={where}", "role", "where"),
    MONITOR_FAILED(Level.WARN, "a monitor threw", "monitor"),
    EXECUTOR_REFUSES(Level.WARN, "an executor refuses user code; threads of Tenure run it, now or later"),

    // channels and schedules
    CHANNEL_DROPPED(
            Level.INFO,
            "channel {channel} dropped {items} items: role={role}",
            "channel",
            "role",
            "items",
            "follower",
            "full",
            "loss"),
    CHANNEL_FULL(
            Level.WARN,
            "channel {channel} dropped {items} items: role={role}",
            "channel",
            "role",
            "items",
            "follower",
            "full",
            "loss"),
    CHANNEL_DISCARDED(
            Level.INFO,
            "channel {channel} discarded {items} buffered items: their term is over",
            "channel",
            "role",
            "items"),
    TASK_FAILED(Level.WARN, "fault survived: role={role} where={where}", "role", "where"),
    CALENDAR_FAILED(Level.WARN, "fault survived: role={role} where={where}", "role", "where"),
    TERM_NOT_ENDED(Level.WARN, "the term is over, but only its owner can end it: role={role}", "role"),
    SCHEDULER_CLOSE_LATE(Level.DEBUG, "closed without waiting for all runs: role={role}", "role"),

    // Tenure itself
    ELECTION_FAULTED(Level.ERROR, "fault survived: role={role} where={where}", "role", "where"),
    SCHEDULE_FAULTED(Level.ERROR, "a schedule threw"),
    LOOP_FAULTED(Level.ERROR, "the election loop survived a fault"),
    CLOSE_FAULTED(Level.ERROR, "closing met a fault"),
    CLOSE_LATE(Level.DEBUG, "closing goes on without waiting for all");

    private final Level level;
    private final String text;
    private final String keys;

    CoreEvent(Level level, String text, String... keys) {
        this.level = level;
        this.text = text;
        this.keys = String.join(" ", keys);
    }

    @Override
    public Level level() {
        return level;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public List<String> keys() {
        return keys.isEmpty() ? List.of() : List.of(keys.split(" "));
    }
}
