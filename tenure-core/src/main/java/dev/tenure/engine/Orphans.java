package dev.tenure.engine;

import dev.tenure.spi.AcquireResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims to be released beside, while an election changes.
 */
final class Orphans {
    private static final int MOST = 16;

    private final TurnState turn;
    private List<Orphan> all;

    Orphans(TurnState turn, List<Orphan> all) {
        this.turn = turn;
        this.all = all;
    }

    List<Orphan> list() {
        return all;
    }

    /**
     * One incarnation is listed once: what is known replaces what is not.
     */
    void add(Orphan orphan) {
        List<Orphan> changed = new ArrayList<>(all);
        changed.removeIf(other -> other.incarnation().equals(orphan.incarnation()));
        if (changed.size() == MOST) {
            changed.remove(0); // expires by itself
        }
        changed.add(orphan);
        all = List.copyOf(changed);
    }

    /**
     * Takes the answers to its releases, and late answers to acquisitions that were abandoned.
     */
    boolean take(Event event) {
        if (event instanceof Event.Released answer) {
            Orphan orphan = asked(answer.call());
            if (orphan != null) {
                turn.storeAnswered();
                released(orphan, answer.freed());
            }
            return orphan != null;
        }
        if (event instanceof Event.Failed failed) {
            Orphan orphan = asked(failed.call());
            if (orphan != null) {
                turn.storeFailed(failed.error());
                replace(orphan, orphan.again(turn.now));
            }
            return orphan != null;
        }
        if (event instanceof Event.Acquired answer && answer.result() instanceof AcquireResult.Denied) {
            all.stream()
                    .filter(orphan -> orphan.awaited() == answer.call().id())
                    .findAny()
                    .ifPresent(orphan -> replace(orphan, null));
        }
        return false;
    }

    private void released(Orphan orphan, boolean freed) {
        if (freed || orphan.isKnown()) {
            replace(orphan, null);
        } else {
            replace(orphan, orphan.again(turn.now));
        }
    }

    private @Nullable Orphan asked(Call call) {
        for (Orphan orphan : all) {
            if (orphan.asked() != null && orphan.asked().id() == call.id()) {
                return orphan;
            }
        }
        return null;
    }

    void due() {
        for (Orphan orphan : all) {
            if (turn.now >= orphan.until()) {
                replace(orphan, null);
            } else if (turn.now >= orphan.limitAt()) {
                turn.storeFailed(turn.noAnswer());
                replace(orphan, orphan.again(turn.now));
            } else if (turn.now >= orphan.dueAt()) {
                Call call = turn.call(Call.Kind.RELEASE, orphan.incarnation(), orphan.token());
                replace(orphan, orphan.asking(call, turn.now + turn.timing().call()));
            }
        }
    }

    private void replace(Orphan orphan, @Nullable Orphan by) {
        List<Orphan> changed = new ArrayList<>(all);
        changed.remove(orphan);
        if (by != null) {
            changed.add(by);
        }
        all = List.copyOf(changed);
    }
}
