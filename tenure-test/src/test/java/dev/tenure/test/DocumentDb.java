package dev.tenure.test;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A document database with compare-and-set and a clock of its own, as a third party may have one.
 */
final class DocumentDb {
    private final Map<String, Document> documents = new ConcurrentHashMap<>();
    private final Set<String> locked = ConcurrentHashMap.newKeySet();
    private final FakeTime time = new FakeTime();

    /**
     * What is to be written, and what it is to be answered.
     */
    record Change<T>(Document written, T answer) {}

    FakeTime time() {
        return time;
    }

    Document get(String key) {
        if (locked.contains(key)) {
            throw new IllegalStateException("document is locked: " + key);
        }
        return documents.getOrDefault(key, Document.EMPTY);
    }

    /**
     * Decides anew until nobody else wrote meanwhile.
     */
    <T> T update(String key, Function<Document, Change<T>> decision) {
        while (true) {
            Document old = get(key);
            Change<T> change = decision.apply(old);
            if (change.written().equals(old) || replace(key, old, change.written())) {
                return change.answer();
            }
        }
    }

    private boolean replace(String key, Document old, Document written) {
        if (old.equals(Document.EMPTY)) {
            return documents.putIfAbsent(key, written) == null;
        }
        return written.equals(Document.EMPTY) ? documents.remove(key, old) : documents.replace(key, old, written);
    }

    void put(String key, Document document) {
        documents.put(key, document);
    }

    Map<String, Document> all() {
        return Map.copyOf(documents);
    }

    AutoCloseable lock(String key) {
        locked.add(key);
        return () -> locked.remove(key);
    }
}
