"""Times as people write them: the bot understands a time, asks about it, or refuses it, and never misreads it."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.telegram.evenings.written_times import WEEKDAYS, read_times
from services.telegram.play.dates import WeeklyTime

NOW = datetime(2026, 11, 24, 10, 0)  # noqa: DTZ001  (the group's clock on the wall)
"""The time in all tests: a Tuesday at 10."""
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def meanings(text: str, now: datetime = NOW) -> list[str]:
    return [f"{DAYS[at.weekday]} {at.clock:%H:%M}" for at in read_times(text, now)]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("giovedì alle 21", "thu 21:00"),
        ("ogni Giovedi alle ore 21:30!", "thu 21:30"),
        ("ven 20.45", "fri 20:45"),
        ("giovedì alle 21 🎉", "thu 21:00"),
        ("giovedì 21,30", "thu 21:30"),
        ("giovedì 21h30", "thu 21:30"),
        ("giovedì 2130", "thu 21:30"),
        ("giovedì alle 21 e 30", "thu 21:30"),
        ("giovedì alle 21 e mezza", "thu 21:30"),
        ("giovedì alle 21 e un quarto", "thu 21:15"),
        ("giovedì alle ventuno e quarantacinque", "thu 21:45"),
        ("giovedì alle 9 di sera", "thu 21:00"),
        ("giovedì alle 9 e tre quarti di sera", "thu 21:45"),
        ("giovedì alle dieci meno un quarto di sera", "thu 21:45"),
        ("le nove di sera di giovedì", "thu 21:00"),
        ("stasera alle 9", "tue 21:00"),
        ("oggi alle 9", "tue 21:00"),
        ("domani alle 21", "wed 21:00"),
        ("domani sera alle 9", "wed 21:00"),
        ("domani pomeriggio alle 3", "wed 15:00"),
        ("dopodomani mattina alle 10", "thu 10:00"),
        ("giovedì all'una di notte", "thu 01:00"),
        ("giovedì alle 3 del mattino", "thu 03:00"),
        ("venerdì a mezzogiorno", "fri 12:00"),
        ("giovedì a mezzanotte", "fri 00:00"),
        ("giovedì alle 12 di sera", "fri 00:00"),
        ("sabato alle 24", "sun 00:00"),
        ("Thursday at 9 pm", "thu 21:00"),
        ("9 p.m. on thursday", "thu 21:00"),
        ("every fri 9:30PM", "fri 21:30"),
        ("tonight at 9", "tue 21:00"),
        ("tonight at midnight", "wed 00:00"),
        ("tomorrow 20:00", "wed 20:00"),
        ("thursday at 9 in the evening", "thu 21:00"),
        ("thursday at half past nine in the evening", "thu 21:30"),
        ("twenty past nine in the evening on friday", "fri 21:20"),
        ("quarter to nine pm thursday", "thu 20:45"),
        ("thursday at nine thirty pm", "thu 21:30"),
        ("thursday at twenty one thirty", "thu 21:30"),
        ("thursdays at 9 o'clock pm".replace("thursdays", "every thursday"), "thu 21:00"),
        ("friday at noon", "fri 12:00"),
        ("sunday at 12 am", "sun 00:00"),
    ],
)
def test_a_time_is_read_as_people_say_it(text: str, meant: str) -> None:
    assert meanings(text) == [meant]


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("giovedì alle 9", "thu 09:00", "thu 21:00"),
        ("giovedì alle nove", "thu 09:00", "thu 21:00"),
        ("thursday at half past 9", "thu 09:30", "thu 21:30"),
        ("domani alle 3", "wed 03:00", "wed 15:00"),
    ],
)
def test_an_hour_without_a_part_of_the_day_is_asked_about(text: str, one: str, other: str) -> None:
    assert meanings(text) == [one, other]


def test_of_today_only_what_is_still_to_come_is_meant() -> None:
    assert meanings("oggi alle 11") == ["tue 11:00", "tue 23:00"]
    assert meanings("oggi alle 11", NOW + timedelta(hours=2)) == ["tue 23:00"]
    assert meanings("stasera alle 9", NOW + timedelta(hours=12)) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "giovedì",
        "giovedì sera",
        "alle 21",
        "giovedì alle 25",
        "giovedì alle 24:10",
        "giovedì alle 21:60",
        "giovedì e venerdì alle 21",
        "giovedì 21 alle 21",
        "giovedì 5 alle 21",
        "giovedì 5, 21",
        "giovedì alle 9 o alle 10 di sera",
        "friday 13 pm",
        "stamattina alle 9 di sera",
        "giovedì alle 21 circa",
        "giovedì prossimo alle 21",
        "not thursday at 9 pm",
        "четверг, giovedì alle 21",
    ],
)
def test_a_text_with_anything_that_is_not_understood_is_asked_about(text: str) -> None:
    assert meanings(text) == []


CLOCKS = (
    "{hour}:{minute:02}",
    "{hour}.{minute:02}",
    "{hour},{minute:02}",
    "{hour}h{minute:02}",
    "{hour:02}{minute:02}",
    "ore {hour} e {minute}",
    "alle {hour:02}:{minute:02}",
    "alle {hour} e {minute}",
    "{twelve}:{minute:02} {half}",
    "{twelve}.{minute:02}{half}",
    "at {twelve}:{minute:02} {dotted}",
    "{minute} past {twelve} {half}",
)
ORDERS = ("{day} {clock}", "{clock} {day}", "ogni {day} {clock}", "every {day}, {clock}")


@given(
    st.builds(WeeklyTime, st.integers(0, 6), st.integers(12 * 60, 24 * 60 - 1)),
    st.sampled_from(CLOCKS),
    st.sampled_from(ORDERS),
    st.integers(0, 3),
)
def test_a_time_that_is_written_in_any_way_comes_back_as_it_was_meant(
    at: WeeklyTime, clock: str, order: str, name: int
) -> None:
    hour, minute = divmod(at.minute, 60)
    parts = {"hour": hour, "minute": minute, "twelve": (hour - 1) % 12 + 1, "half": "pm", "dotted": "p.m."}
    text = order.format(day=WEEKDAYS[at.weekday][name], clock=clock.format(**parts))
    assert read_times(text, NOW) == [at]


@given(st.text(max_size=60))
def test_no_text_breaks_the_grammar(text: str) -> None:
    assert len(read_times(text, NOW)) <= 2
