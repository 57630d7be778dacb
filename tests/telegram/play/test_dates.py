"""The dates of evenings."""

from datetime import UTC, date, datetime
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from services.telegram.play.dates import (
    DAY,
    WeeklyTime,
    local,
    next_time,
    occurrences,
    read_zone,
    without_zone,
)

ZONES = ("Europe/Rome", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo", "UTC")
TIMES = st.builds(WeeklyTime, st.integers(0, 6), st.integers(0, 1439))


def test_a_time_zone_is_named_as_iana_does_in_any_case() -> None:
    assert read_zone("giovedì alle 21 europe/rome") == "Europe/Rome"
    assert read_zone("giovedì alle 21") is None
    assert without_zone("friday at 9 pm Etc/GMT+3") == "friday at 9 pm"


def test_the_clock_on_the_wall_counts_over_both_changes() -> None:
    spring = datetime(2026, 3, 20, tzinfo=UTC).timestamp()
    autumn = datetime(2026, 10, 16, tzinfo=UTC).timestamp()
    for after, shorter in ((spring, 1), (autumn, -1)):
        before, change = list(islice(occurrences(WeeklyTime(6, 21 * 60), "Europe/Rome", after), 2))
        assert (change[1] - before[1]) / 3600 == 7 * 24 - shorter
        assert {local(moment, "Europe/Rome").hour for _, moment in (before, change)} == {21}


def test_a_time_that_the_clocks_skip_or_show_twice_is_there_once() -> None:
    at = WeeklyTime(6, 2 * 60 + 30)
    day, skipped = next_time(at, "Europe/Rome", datetime(2026, 3, 27, tzinfo=UTC).timestamp())
    assert (day, local(skipped, "Europe/Rome").strftime("%H:%M")) == (date(2026, 3, 29), "03:30")
    day, first = next_time(at, "Europe/Rome", datetime(2026, 10, 23, tzinfo=UTC).timestamp())
    assert (day, local(first, "Europe/Rome").fold) == (date(2026, 10, 25), 0)
    assert next_time(at, "Europe/Rome", first)[0] == date(2026, 11, 1)


@given(at=TIMES, zone=st.sampled_from(ZONES), after=st.integers(1_600_000_000, 2_000_000_000))
def test_each_week_has_one_evening_on_its_day_by_the_groups_clocks(at: WeeklyTime, zone: str, after: int) -> None:
    evenings = list(islice(occurrences(at, zone, after), 60))
    assert after < evenings[0][1] <= after + 8 * DAY
    for (day, moment), (following, later) in pairwise(evenings):
        assert (following - day).days == 7
        assert abs(later - moment - 7 * DAY) <= 3600
        assert day.weekday() == at.weekday
        shown = local(moment, zone)
        on_the_wall = datetime.combine(day, at.clock, ZoneInfo(zone))
        exists = on_the_wall.astimezone(UTC).astimezone(ZoneInfo(zone)).time() == at.clock
        assert not exists or (shown.date(), shown.time()) == (day, at.clock)
