package dev.tenure.example;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One of the running instances, as its pages show it.
 */
record Instance(int number, URI page, long process) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** What an instance that cannot be asked answers. */
    private static final String NOTHING = "";

    String get(String path) {
        HttpRequest request = HttpRequest.newBuilder(page.resolve(path))
                .timeout(Duration.ofSeconds(20))
                .build();
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? response.body() : NOTHING;
        } catch (IOException notNow) {
            return NOTHING;
        } catch (InterruptedException given) {
            throw new IllegalStateException(given);
        }
    }

    JsonNode json(String path) {
        String body = get(path);
        return JsonMapper.shared().readTree(body.isEmpty() ? "{}" : body);
    }

    JsonNode role() {
        return json("/actuator/leadership").at("/roles/ledger");
    }

    boolean leads() {
        return role().path("leading").asBoolean(false);
    }

    boolean isUp() {
        return json("/actuator/health").path("status").asString("").equals("UP");
    }

    /** Who leads, as its page says. */
    String leaderLine() {
        return get("/leader")
                .lines()
                .filter(line -> line.contains("Leader: "))
                .findFirst()
                .orElse("");
    }

    List<String> scrape() {
        return get("/actuator/prometheus")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    /**
     * The sum of a meter's values, over the series whose tags have this in them.
     */
    double meter(String name, String... tags) {
        return scrape().stream()
                .filter(line ->
                        line.startsWith(name + "{") && List.of(tags).stream().allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Names of the series of a role. */
    List<String> meters() {
        Pattern series = Pattern.compile("(tenure_\\w+)\\{.*role=\"ledger\".*");
        return scrape().stream()
                .map(series::matcher)
                .filter(java.util.regex.Matcher::matches)
                .map(found -> found.group(1))
                .distinct()
                .toList();
    }
}
