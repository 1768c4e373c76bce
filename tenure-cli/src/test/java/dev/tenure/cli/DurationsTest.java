package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationsTest {
    private final Durations.Positive positive = new Durations.Positive();
    private final Durations.NotNegative notNegative = new Durations.NotNegative();

    @ParameterizedTest
    @CsvSource({
        "15s, PT15S",
        "500ms, PT0.5S",
        "1.5s, PT1.5S",
        "2m, PT2M",
        "1h, PT1H",
        "1d, PT24H",
        "250us, PT0.00025S",
        "PT15S, PT15S",
        "pt1m30s, PT1M30S",
        "' 3 s ', PT3S",
        "15S, PT15S"
    })
    void readsWhatPeopleWrite(String text, String iso) {
        assertThat(positive.convert(text)).isEqualTo(Duration.parse(iso));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15", "0", "s", "15 seconds", "1m30", "1..5s", "--5s", "NaN", "1e3s", "PT", "٣s"})
    void refusesWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> positive.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("must be a duration such as 15s, 500ms, 2m, 1h or PT15S");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "-1s", "-500ms", "PT0S", "-PT1S", "0.0s"})
    void K158_refusesZeroAndLess(String text) {
        assertThatThrownBy(() -> positive.convert(text)).hasMessage("must be above zero");
    }

    @ParameterizedTest
    @ValueSource(strings = {"366d", "999999999999h", "PT99999999H"})
    void refusesMoreThanAYear(String text) {
        assertThatThrownBy(() -> positive.convert(text)).hasMessage("must be at most 365d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "PT0S"})
    void takesZeroWhereItMeansSomething(String text) {
        assertThat(notNegative.convert(text)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1s", "-PT1S"})
    void refusesLessThanZero(String text) {
        assertThatThrownBy(() -> notNegative.convert(text)).hasMessage("must be zero or more");
    }
}
