"""When people are reminded of turns that wait for them."""

from datetime import timedelta

import pytest

from locanda.messages import Table
from services.telegram.reminders import DAY, next_reminder, reminders_due, with_reminders
from services.telegram.screens.hand import hand_screen
from tests.telegram.samples import NOW, read, table, view_model

BEGAN = NOW.timestamp()


def limited(seconds: int) -> Table:
    """A table whose turn of so many seconds has just begun."""
    return table(turn_seconds=seconds, deadline=NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize(("seconds", "left"), [(120, 30), (300, 75), (3600, 900), (86_400, 21_600)])
def test_with_a_limit_one_is_reminded_once_when_a_quarter_of_it_is_left(seconds: int, left: int) -> None:
    found, at = limited(seconds), BEGAN + seconds - left
    assert next_reminder(found, BEGAN, BEGAN) == at
    assert (reminders_due(found, BEGAN, at - 1), reminders_due(found, BEGAN, at)) == (0, 1)
    assert next_reminder(found, BEGAN, at) is None


def test_of_a_turn_of_a_minute_nobody_is_reminded() -> None:
    assert next_reminder(limited(60), BEGAN, BEGAN) is None
    assert reminders_due(limited(60), BEGAN, BEGAN + 59) == 0


def test_without_a_limit_one_is_reminded_each_day() -> None:
    found = table(turn_seconds=None, deadline=None)
    assert next_reminder(found, BEGAN, BEGAN) == BEGAN + DAY
    assert reminders_due(found, BEGAN, BEGAN + DAY - 1) == 0
    assert reminders_due(found, BEGAN, BEGAN + DAY) == 1
    assert next_reminder(found, BEGAN, BEGAN + DAY) == BEGAN + 2 * DAY
    assert reminders_due(found, BEGAN, BEGAN + 2.5 * DAY) == 2


def test_a_deadline_that_is_put_off_reminds_nobody_twice_and_the_next_turn_counts_anew() -> None:
    assert with_reminders("1.1@7", "1.1@7", 0) == "1.1@7"
    assert with_reminders("1.1@7", "1.1@7", 1) == "1.1@7!1"
    assert with_reminders("1.1@7", "1.1@7!1", 0) == "1.1@7!1"
    assert with_reminders("1.1@9", "1.1@7!1", 0) == "1.1@9"


def test_a_reminder_is_what_the_phone_shows_first() -> None:
    soon = hand_screen(view_model(reminders=1), "it")
    assert read(soon).startswith("⏰ Il tuo tempo sta per finire!\n")
    daily = hand_screen(view_model(table=table(turn_seconds=None, deadline=None), reminders=3), "it")
    assert read(daily).startswith("⏰ Ti aspettano da 3 giorni.\n")
