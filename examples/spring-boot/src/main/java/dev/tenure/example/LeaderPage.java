package dev.tenure.example;

import static org.springframework.web.util.HtmlUtils.htmlEscape;

import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import java.util.stream.Collectors;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Who leads, as each instance knows it, and what was written last.
 */
@RestController
public class LeaderPage {
    private final LeaderElector elector;
    private final Ledger ledger;

    LeaderPage(LeaderElector elector, Ledger ledger) {
        this.elector = elector;
        this.ledger = ledger;
    }

    @GetMapping(path = "/leader", produces = MediaType.TEXT_HTML_VALUE)
    public String page() {
        return """
                <!doctype html>
                <title>Who leads the ledger</title>
                <p>%s</p>
                <p>This instance: %s, its term %d.</p>
                <p>%s</p>
                <table>
                <tr><th>entry<th>token<th>written by<th>at
                %s
                </table>
                """.formatted(
                        elector.leader().map(LeaderPage::shown).orElse("Nobody leads."),
                        elector.isLeader() ? "leading" : "following",
                        elector.term(),
                        shown(ledger.summary()),
                        ledger.last(10).stream().map(LeaderPage::shown).collect(Collectors.joining("\n")));
    }

    private static String shown(Leader leader) {
        String url = leader.metadata("url").orElse("");
        String token =
                leader.fencingToken().map(held -> Long.toString(held.value())).orElse("none");
        return "Leader: <a href=\"%s/leader\">%s</a>, token %s."
                .formatted(htmlEscape(url), htmlEscape(leader.name()), token);
    }

    private static String shown(Ledger.Summary summary) {
        return "%d entries, %d gaps, %d repeats; the token fell %d times."
                .formatted(summary.entries(), summary.gaps(), summary.repeats(), summary.tokensThatFell());
    }

    private static String shown(Ledger.Entry entry) {
        return "<tr><td>%d<td>%d<td>%s<td>%s"
                .formatted(entry.number(), entry.token(), htmlEscape(entry.instance()), entry.written());
    }
}
