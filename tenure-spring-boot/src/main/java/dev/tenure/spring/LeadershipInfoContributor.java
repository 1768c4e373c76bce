package dev.tenure.spring;

import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * Who leads what, in short.
 */
final class LeadershipInfoContributor implements InfoContributor {
    private final Electors electors;

    LeadershipInfoContributor(Electors electors) {
        this.electors = electors;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> roles = new LinkedHashMap<>();
        for (LeaderElector elector : electors.all()) {
            roles.put(
                    elector.role(),
                    Map.of(
                            "leading", elector.isLeader(),
                            "leader", elector.leader().map(Leader::name).orElse("")));
        }
        builder.withDetail("leadership", roles);
    }
}
