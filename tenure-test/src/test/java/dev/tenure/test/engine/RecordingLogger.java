package dev.tenure.test.engine;

import java.io.PrintStream;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/**
 * Keeps the events of Tenure with their pairs, and prints those that are worth reading, of others the warnings, on
 * standard error.
 */
final class RecordingLogger extends LegacyAbstractLogger implements LoggingEventAware {
    private static final long serialVersionUID = 1;
    private static final Map<String, RecordingLogger> ALL = new ConcurrentHashMap<>();
    private static final Queue<LoggingEvent> RECORDED = new ConcurrentLinkedQueue<>();

    private RecordingLogger(String name) {
        this.name = name;
    }

    static RecordingLogger of(String name) {
        return ALL.computeIfAbsent(name, RecordingLogger::new);
    }

    /**
     * Those since the last clearing, in order.
     */
    static Queue<LoggingEvent> recorded() {
        return RECORDED;
    }

    @Override
    public void log(LoggingEvent event) {
        RECORDED.add(event);
        if (event.getLevel().toInt() >= Level.INFO.toInt()) {
            print(event.getLevel(), event.getMessage(), event.getThrowable());
        }
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level, Marker marker, String message, Object[] arguments, Throwable thrown) {
        print(level, MessageFormatter.basicArrayFormat(message, arguments), thrown);
    }

    private void print(Level level, String text, @Nullable Throwable thrown) {
        PrintStream err = System.err;
        synchronized (RECORDED) {
            err.println(level + " " + name + " - " + text);
            if (thrown != null) {
                thrown.printStackTrace(err);
            }
        }
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return RecordingLogger.class.getName();
    }

    private boolean isOurs() {
        return name.startsWith("dev.tenure");
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public boolean isDebugEnabled() {
        return isOurs();
    }

    @Override
    public boolean isInfoEnabled() {
        return isOurs();
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }

    @Override
    public boolean isTraceEnabled(Marker marker) {
        return isTraceEnabled();
    }

    @Override
    public boolean isDebugEnabled(Marker marker) {
        return isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled(Marker marker) {
        return isInfoEnabled();
    }

    @Override
    public boolean isWarnEnabled(Marker marker) {
        return isWarnEnabled();
    }

    @Override
    public boolean isErrorEnabled(Marker marker) {
        return isErrorEnabled();
    }
}
