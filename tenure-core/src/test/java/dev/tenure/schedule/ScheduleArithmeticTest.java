package dev.tenure.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.InvalidOptionsException;
import dev.tenure.schedule.Slots.Passed;
import dev.tenure.schedule.Slots.SlotsUnknown;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which slots a schedule has.
 */
class ScheduleArithmeticTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static Slots slots(Schedule schedule) {
        Slots slots = schedule.slots();
        assertThat(slots).isNotNull();
        return slots;
    }

    private static Instant at(String time) {
        return Instant.parse(time);
    }

    private static UnaryOperator<ZonedDateTime> daily(int hour, int minute) {
        return after -> {
            LocalDate day = after.toLocalDate();
            ZonedDateTime today = day.atTime(hour, minute).atZone(after.getZone());
            return today.isAfter(after)
                    ? today
                    : day.plusDays(1).atTime(hour, minute).atZone(after.getZone());
        };
    }

    private static List<Instant> following(Slots slots, Instant from, int count) throws SlotsUnknown {
        List<Instant> all = new ArrayList<>();
        Instant slot = from;
        for (int i = 0; i < count; i++) {
            slot = slots.next(slot);
            all.add(slot);
        }
        return all;
    }

    // fixed rate

    @Test
    void aFixedRateHasThePhaseOfTheEpoch() throws SlotsUnknown {
        Slots slots = slots(Schedule.fixedRate(Duration.ofMinutes(1)));
        assertThat(slots.next(at("2026-01-01T12:00:12.345Z"))).isEqualTo(at("2026-01-01T12:01:00Z"));
        assertThat(slots.next(at("2026-01-01T12:01:00Z"))).isEqualTo(at("2026-01-01T12:02:00Z"));
        assertThat(slots.newest(at("2026-01-01T12:01:00Z"))).isEqualTo(at("2026-01-01T12:01:00Z"));
        assertThat(slots.newest(at("2026-01-01T12:00:59.999Z"))).isEqualTo(at("2026-01-01T12:00:00Z"));
        assertThat(slots(Schedule.fixedRate(Duration.ofDays(7))).next(Instant.EPOCH))
                .isEqualTo(at("1970-01-08T00:00:00Z"));
    }

    @Test
    void aFixedRateKnowsTimesBeforeTheEpochAndFarAway() throws SlotsUnknown {
        Slots slots = slots(Schedule.fixedRate(Duration.ofHours(1)));
        assertThat(slots.next(at("1969-12-31T23:30:00Z"))).isEqualTo(Instant.EPOCH);
        assertThat(slots.newest(at("1969-12-31T23:30:00Z"))).isEqualTo(at("1969-12-31T23:00:00Z"));
        Instant far = Year.of(100_000_000).atDay(1).atTime(0, 30).toInstant(ZoneOffset.UTC);
        assertThat(slots.next(far)).isEqualTo(far.plus(Duration.ofMinutes(30)));
    }

    @Test
    void millionsOfSlotsThatPassedAreCountedWithoutVisitingThem() throws SlotsUnknown {
        Slots slots = slots(Schedule.fixedRate(Duration.ofMillis(1)));
        Instant first = at("2026-01-01T00:00:00Z");
        Instant now = at("2036-01-01T00:00:00.0005Z");
        Passed passed = slots.passed(first, now);
        assertThat(passed.newest()).isEqualTo(at("2036-01-01T00:00:00Z"));
        assertThat(passed.older()).isEqualTo(Duration.between(first, now).toMillis());
        assertThat(passed.next()).isEqualTo(at("2036-01-01T00:00:00.001Z"));
    }

    @ParameterizedTest
    @CsvSource({"PT0.0009S", "PT0S", "PT-1S", "PT8760H0.001S"})
    void aPeriodOutOfBoundsIsRefused(Duration period) {
        assertThatThrownBy(() -> Schedule.fixedRate(period))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("period must be from 1ms to 365 days: period=");
        assertThatThrownBy(() -> Schedule.fixedDelay(period))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("delay must be from 1ms to 365 days: delay=");
    }

    @Test
    void aPeriodIsInWholeMilliseconds() {
        assertThatThrownBy(() -> Schedule.fixedRate(Duration.ofNanos(1_500_000)))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessage("period must be whole milliseconds: period=0.0015s");
        assertThat(Schedule.fixedRate(Duration.ofMillis(1))).hasToString("every 0.001s");
    }

    // calendar

    @Test
    void aTimeThatDoesNotExistIsTheOneThatTheFunctionMakesOfIt() throws SlotsUnknown {
        Slots slots = slots(Schedule.calendar(BERLIN, daily(2, 30)));
        assertThat(following(slots, at("2026-03-27T12:00:00Z"), 3))
                .containsExactly(
                        at("2026-03-28T01:30:00Z"),
                        at("2026-03-29T01:30:00Z"), // 03:30 in summer time, as 02:30 is left out
                        at("2026-03-30T00:30:00Z"));
    }

    @Test
    void aTimeThatExistsTwiceIsOneSlot() throws SlotsUnknown {
        Slots slots = slots(Schedule.calendar(BERLIN, daily(2, 30)));
        assertThat(following(slots, at("2026-10-24T12:00:00Z"), 3))
                .containsExactly(
                        at("2026-10-25T00:30:00Z"), // the first 02:30
                        at("2026-10-26T01:30:00Z"),
                        at("2026-10-27T01:30:00Z"));
        assertThat(slots.next(at("2026-10-25T01:00:00Z"))).isEqualTo(at("2026-10-26T01:30:00Z"));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-06-15T02:30:00Z, 2026-06-15T02:30:00Z",
        "2026-06-15T02:29:59.999Z, 2026-06-14T02:30:00Z",
        "2026-06-15T02:30:00.001Z, 2026-06-15T02:30:00Z",
        "2026-06-16T02:29:59Z, 2026-06-15T02:30:00Z"
    })
    void theNewestSlotIsFoundByLookingBack(Instant until, Instant newest) throws SlotsUnknown {
        assertThat(slots(Schedule.calendar(ZoneOffset.UTC, daily(2, 30))).newest(until))
                .isEqualTo(newest);
    }

    @Test
    void lookingBackOverManySlotsTakesFewCalls() throws SlotsUnknown {
        AtomicInteger calls = new AtomicInteger();
        // every second of the first hour of a year
        Slots slots = slots(Schedule.calendar(ZoneOffset.UTC, after -> {
            calls.incrementAndGet();
            ZonedDateTime second = after.withNano(0).plusSeconds(1);
            return second.getDayOfYear() == 1 && second.getHour() == 0
                    ? second
                    : Year.of(second.getYear() + 1).atDay(1).atStartOfDay(ZoneOffset.UTC);
        }));
        assertThat(slots.newest(at("2026-12-31T12:00:00Z"))).isEqualTo(at("2026-01-01T00:59:59Z"));
        assertThat(calls.get()).isLessThan(100);
    }

    @Test
    void whatIsFartherBackThan400DaysIsNotFound() throws SlotsUnknown {
        Slots leapDays = slots(Schedule.calendar(ZoneOffset.UTC, after -> {
            ZonedDateTime day = after.toLocalDate().plusDays(1).atStartOfDay(ZoneOffset.UTC);
            while (day.getMonthValue() != 2 || day.getDayOfMonth() != 29) {
                day = day.plusDays(1);
            }
            return day;
        }));
        assertThat(leapDays.newest(at("2025-04-01T00:00:00Z"))).isEqualTo(at("2024-02-29T00:00:00Z"));
        assertThat(leapDays.newest(at("2026-01-01T00:00:00Z"))).isNull();
    }

    @Test
    void slotsThatPassedAreCountedUpToAThousand() throws SlotsUnknown {
        Slots slots = slots(
                Schedule.calendar(ZoneOffset.UTC, after -> after.withNano(0).plusSeconds(1)));
        Instant first = at("2026-01-01T00:00:00Z");
        assertThat(slots.passed(first, first.plusSeconds(3)))
                .isEqualTo(new Passed(first.plusSeconds(3), 3, first.plusSeconds(4)));
        assertThat(slots.passed(first, first.plusSeconds(500_000).plusMillis(3)))
                .isEqualTo(new Passed(first.plusSeconds(500_000), 1_000, first.plusSeconds(500_001)));
    }

    @Test
    void aFunctionIsNotBelieved() {
        Instant now = at("2026-01-01T00:00:00Z");
        assertThatThrownBy(
                        () -> slots(Schedule.calendar(BERLIN, after -> after)).next(now))
                .isInstanceOf(SlotsUnknown.class)
                .hasMessage("the calendar's function must return a time strictly after its argument:"
                        + " 2026-01-01T01:00+01:00[Europe/Berlin] returned=2026-01-01T01:00+01:00[Europe/Berlin]");
        assertThatThrownBy(() -> slots(Schedule.calendar(BERLIN, after -> null)).next(now))
                .isInstanceOf(SlotsUnknown.class)
                .hasMessageEndingWith("returned=null");
        IllegalStateException thrown = new IllegalStateException("of the function");
        assertThatThrownBy(() -> slots(Schedule.calendar(BERLIN, after -> {
                            throw thrown;
                        }))
                        .next(now))
                .isInstanceOf(SlotsUnknown.class)
                .hasCause(thrown);
    }

    // what was judged

    @Test
    void slotsThatFollowEachOtherAreOneSpan() {
        Judged judged = new Judged();
        Instant first = at("2026-01-01T00:00:00Z");
        for (int i = 0; i < 1_000; i++) {
            judged.add(first.plusSeconds(i), true);
        }
        assertThat(judged.endOfSpan(first)).isEqualTo(first.plusSeconds(999));
        assertThat(judged.endOfSpan(first.minusMillis(1))).isNull();
        assertThat(judged.endOfSpan(first.plusSeconds(1_000))).isNull();
    }

    @Test
    void whatWasPassedOverByAJumpIsNotJudged() {
        Judged judged = new Judged();
        Instant first = at("2026-01-01T00:00:00Z");
        judged.add(first, false);
        judged.add(first.plusSeconds(3_600), false);
        assertThat(judged.endOfSpan(first.plusSeconds(60))).isNull();
        assertThat(judged.endOfSpan(first.plusSeconds(3_600))).isEqualTo(first.plusSeconds(3_600));
    }

    @Test
    void ofManySpansTheOldestGrowTogetherSoThatNoneIsForgotten() {
        Judged judged = new Judged();
        Instant first = at("2026-01-01T00:00:00Z");
        for (int i = 0; i < 100; i++) {
            judged.add(first.plusSeconds(60L * i), false);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(judged.endOfSpan(first.plusSeconds(60L * i))).isNotNull();
        }
    }
}
