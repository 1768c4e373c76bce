package dev.tenure.spring;

import dev.tenure.ElectionDescription;
import dev.tenure.ElectionOptions;
import dev.tenure.FencingToken;
import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import dev.tenure.schedule.SlotOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an operator wants to know of a role, as texts, numbers and maps of them.
 */
final class RoleReport {
    private final ElectionNotes notes;
    private final MethodRecords methods;

    RoleReport(ElectionNotes notes, MethodRecords methods) {
        this.notes = notes;
        this.methods = methods;
    }

    Map<String, Object> of(LeaderElector elector) {
        ElectionDescription is = elector.describe();
        Map<String, Object> role = new LinkedHashMap<>();
        role.put("leading", elector.isLeader());
        role.put("status", is.health().status().name());
        role.put("since", is.health().since().toString());
        role.put("detail", is.health().detail());
        is.health().lastError().ifPresent(error -> role.put("lastError", error.toString()));
        elector.leader().ifPresent(leader -> role.put("leader", leader(leader)));
        is.fencingToken().ifPresent(token -> role.put("token", token.value()));
        role.put("term", is.term());
        role.put("remaining", shown(is.remaining()));
        if (!is.remaining().isZero()) {
            role.put(
                    "deadline",
                    Instant.now()
                            .plus(is.remaining())
                            .truncatedTo(ChronoUnit.MILLIS)
                            .toString());
        }
        notes.lastLoss(is.role()).ifPresent(loss -> role.put("lastLoss", loss(loss)));
        role.put("key", is.key());
        role.put("store", store(is));
        role.put("options", options(is.options()));
        role.put("worstCaseTakeover", shown(is.worstCaseTakeover()));
        role.put("explained", is.lines());
        return role;
    }

    Map<String, Map<SlotOutcome, Long>> methods() {
        return methods.counts();
    }

    static Map<String, Object> leader(Leader leader) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", leader.name());
        map.put("metadata", leader.metadata());
        leader.fencingToken().map(FencingToken::value).ifPresent(token -> map.put("token", token));
        return map;
    }

    private static Map<String, Object> loss(ElectionNotes.Loss loss) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("term", loss.term());
        map.put("reason", loss.reason().name());
        map.put("at", loss.at().toString());
        map.put("held", shown(loss.held()));
        return map;
    }

    private Map<String, Object> store(ElectionDescription is) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", is.store());
        map.put("scope", is.traits().scope().name());
        map.put("coordinated", is.coordinated());
        notes.lastAnswer(is.role()).ifPresent(at -> map.put("lastAnswer", at.toString()));
        return map;
    }

    private static Map<String, Object> options(ElectionOptions options) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("lease", shown(options.lease()));
        map.put("renewInterval", shown(options.renewInterval()));
        map.put("safetyMargin", shown(options.safetyMargin()));
        map.put("callTimeout", shown(options.callTimeout()));
        map.put("retryInterval", shown(options.retryInterval()));
        map.put("retryJitter", shown(options.retryJitter()));
        map.put("drainTimeout", shown(options.drainTimeout()));
        map.put("interruptAfter", shown(options.interruptAfter()));
        map.put("startDelay", shown(options.startDelay()));
        map.put("firstWorkBackoff", shown(options.firstWorkBackoff()));
        map.put("longestWorkBackoff", shown(options.longestWorkBackoff()));
        options.healthCheck().ifPresent(check -> map.put("healthGrace", shown(options.healthGrace())));
        map.put("whenUncoordinated", options.whenUncoordinated().name());
        map.put("acceptTokenRegression", options.acceptTokenRegression());
        return map;
    }

    /**
     * To the millisecond.
     */
    private static String shown(Duration span) {
        return span.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
