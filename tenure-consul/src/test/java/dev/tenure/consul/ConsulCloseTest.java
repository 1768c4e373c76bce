package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.Registration;
import dev.tenure.spi.LeaseStore;
import dev.tenure.test.Asker;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What closing leaves. Other tests have clients of their own, so it runs alone.
 */
@Isolated
class ConsulCloseTest {
    private static final String KEY = "service/a/leader";

    @Test
    void closingLeavesNoThread() {
        try (ConsulAgent agent = new ConsulAgent().start()) { // another port, other names
            Set<Thread> before = threads(name -> name.startsWith("HttpClient-"));
            LeaseStore store = ConsulLeaseStore.connect(agent.url());
            Asker user = Asker.of(store);
            Registration watch = store.watch(KEY, () -> {});
            user.release(user.grant(KEY));
            Set<Thread> ofClient = threads(name -> name.startsWith("HttpClient-"));
            ofClient.removeAll(before);
            Predicate<String> own = name -> name.startsWith("tenure-consul-" + agent.port() + "-");
            assertThat(threads(own)).isNotEmpty();
            assertThat(ofClient).isNotEmpty();
            store.close();
            watch.remove();
            Eventually.becomes("end of the store's threads", () -> threads(own).isEmpty());
            Eventually.becomes("end of the client's threads", () -> {
                System.gc(); // on JDK 17 it ends by that
                return ofClient.stream().noneMatch(Thread::isAlive);
            });
        }
    }

    private static Set<Thread> threads(Predicate<String> name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> name.test(thread.getName()))
                .collect(Collectors.toSet());
    }
}
