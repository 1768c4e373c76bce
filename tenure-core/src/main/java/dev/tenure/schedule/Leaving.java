package dev.tenure.schedule;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs of tasks that were removed meanwhile, by name: no other run of that name begins beside them.
 */
final class Leaving {
    private final Map<String, Task> tasks; // which may wait for such an end
    private final Map<String, TaskRun> runs = new ConcurrentHashMap<>();

    Leaving(Map<String, Task> tasks) {
        this.tasks = tasks;
    }

    /**
     * To be called before the name is given to another task.
     */
    void add(Task ended) {
        String name = ended.plan().name();
        ended.running().ifPresent(run -> {
            runs.put(name, run);
            run.whenOver(() -> {
                if (runs.remove(name, run)) {
                    left(name);
                }
            });
        });
    }

    private void left(String name) {
        Task next = tasks.get(name);
        if (next != null && !next.isEnded()) {
            next.runEnded();
        }
    }

    boolean has(String name) {
        return runs.containsKey(name);
    }

    Collection<TaskRun> all() {
        return List.copyOf(runs.values());
    }
}
