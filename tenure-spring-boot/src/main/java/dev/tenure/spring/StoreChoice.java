package dev.tenure.spring;

import dev.tenure.LeaseStores;
import dev.tenure.log.LogLine;
import dev.tenure.spi.LeaseStore;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;

/**
 * Decides which store the elections are on: the URL, or the application's client, or this process's memory.
 */
final class StoreChoice {
    private static final Logger LOG = LoggerFactory.getLogger(StoreChoice.class);
    private static final List<String> PRODUCTION = List.of("prod", "production");
    private static final String MEMORY = "memory:";
    private static final String USE = "tenure.store.use";
    private static final String BEAN = "tenure.store.bean";

    private final TenureProperties properties;
    private final Environment environment;
    private final List<StoreCandidates> clients;

    StoreChoice(TenureProperties properties, Environment environment, List<StoreCandidates> clients) {
        this.properties = properties;
        this.environment = environment;
        this.clients = clients;
    }

    LeaseStore open() {
        TenureProperties.Store store = properties.store();
        String url = store.url();
        if (url != null && !url.isBlank()) {
            return url.equals(MEMORY) ? embedded("tenure.store.url is memory:") : atUrl(url);
        }
        List<StoreCandidate> all =
                clients.stream().flatMap(kind -> kind.all().stream()).toList();
        List<StoreCandidate> fitting = fitting(all);
        if (fitting.size() > 1) {
            throw severalFit(fitting);
        }
        if (fitting.size() == 1) {
            return over(fitting.get(0));
        }
        if (store.use() != null || store.bean() != null) {
            throw noneFits(all);
        }
        return embedded("no store is configured");
    }

    /**
     * Those that properties name; of each use the one that the application prefers, or all if it prefers none.
     */
    private List<StoreCandidate> fitting(List<StoreCandidate> all) {
        String use = properties.store().use();
        String bean = properties.store().bean();
        List<StoreCandidate> named = all.stream()
                .filter(candidate -> use == null || candidate.use().equals(use))
                .filter(candidate -> bean == null || candidate.bean().equals(bean))
                .toList();
        return named.stream()
                .filter(candidate -> candidate.obvious()
                        || named.stream()
                                .noneMatch(
                                        other -> other.obvious() && other.use().equals(candidate.use())))
                .toList();
    }

    private static RefusedStartException severalFit(List<StoreCandidate> fitting) {
        String uses =
                fitting.stream().map(StoreCandidate::use).distinct().sorted().collect(Collectors.joining(", "));
        String beans = fitting.stream().map(StoreCandidate::bean).collect(Collectors.joining(", "));
        return new RefusedStartException(
                "The elections could be held on several stores: " + shown(fitting) + ".",
                "Set " + BEAN + " to one of " + beans + (uses.contains(",") ? ", or " + USE + " to one of " + uses : "")
                        + "; the same on all instances.");
    }

    private RefusedStartException noneFits(List<StoreCandidate> all) {
        TenureProperties.Store store = properties.store();
        String bean = store.bean() == null ? "" : BEAN + " is " + store.bean();
        String use = store.use() == null ? "" : USE + " is " + store.use();
        return new RefusedStartException(
                bean + (bean.isEmpty() || use.isEmpty() ? "" : " and ") + use
                        + ", and the application has no such client or not the module for it.",
                "Add tenure-jdbc and a DataSource, or tenure-redis and a Redis client; found: " + shown(all) + ".");
    }

    private LeaseStore atUrl(String url) {
        Map<String, String> options = properties.store().optionsOfUrl(properties.namespace());
        try {
            return LeaseStores.open(url, options);
        } catch (IllegalArgumentException unsound) {
            throw new RefusedStartException(
                    blamed(String.valueOf(unsound.getMessage())) + " cannot be used: " + unsound.getMessage(),
                    "Correct tenure.store.*" + StoreArtifacts.missingFor(url) + ".",
                    unsound);
        }
    }

    /**
     * The property that a message of the store is about.
     */
    private String blamed(String message) {
        if (message.startsWith("namespace ")) {
            return "tenure.namespace";
        }
        return properties.store().options().keySet().stream()
                .filter(option -> Arrays.asList(message.split("[^\\w.-]+")).contains(option))
                .findFirst()
                .map(option -> "tenure.store.options." + option)
                .orElse("tenure.store.url");
    }

    private LeaseStore over(StoreCandidate candidate) {
        try {
            LeaseStore store = candidate.open().get();
            LogLine.of(LOG, SpringEvent.STORE_OF_APPLICATION)
                    .with("client", candidate.client())
                    .write();
            return store;
        } catch (IllegalArgumentException unsound) {
            throw new RefusedStartException(
                    "The application's " + candidate.client() + " cannot hold elections, "
                            + blamed(String.valueOf(unsound.getMessage())).replace("tenure.store.url", "it")
                            + " cannot be used: "
                            + unsound.getMessage(),
                    "Correct tenure.namespace or tenure.store.options, or name another store by tenure.store.url.",
                    unsound);
        }
    }

    private LeaseStore embedded(String why) {
        String production = Arrays.stream(environment.getActiveProfiles())
                .filter(profile -> PRODUCTION.contains(profile.toLowerCase(java.util.Locale.ROOT)))
                .findFirst()
                .orElse("");
        if (!production.isEmpty() && !properties.store().embeddedAllowed()) {
            throw new RefusedStartException(
                    "Elections would be held in this process's memory, since " + why
                            + ": every instance would lead. The profile " + production + " is active.",
                    "Set tenure.store.url, or, for a single instance, tenure.store.embedded-allowed=true.");
        }
        LogLine.of(LOG, SpringEvent.STORE_IN_MEMORY).with("why", why).write();
        return LeaseStores.inMemory();
    }

    private static String shown(List<StoreCandidate> of) {
        return of.isEmpty() ? "none" : of.stream().map(StoreCandidate::client).collect(Collectors.joining(", "));
    }
}
