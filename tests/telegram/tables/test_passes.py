"""Automatic passes of the bot and their delay, and reminders of a waiting turn."""

import asyncio
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, cast

import pytest
from msgspec import Struct, structs

from locanda.client import EngineClient
from locanda.games.gatto_rosso.types import Options
from locanda.messages import JsonObject, Seat, Table
from services.common.processes import BackgroundTasks
from services.telegram.play.cards import GAME_SCREENS
from services.telegram.play.turns import (
    DAY,
    Passing,
    When,
    next_reminder,
    reminders_due,
    when_to_pass,
    with_reminders,
)
from services.telegram.screens.hand import hand_screen
from services.telegram.tables.passes import THINKING_SECONDS, AutomaticPasses
from tests.telegram.played_deals import position
from tests.telegram.samples import NOW, read, table, view, view_model

PASS: JsonObject = {"type": "pass"}


class Somebody(Struct, frozen=True):
    table: Table
    passes: When
    token: str = "t"


class FakeEngine:
    """An engine that accepts every move."""

    def __init__(self) -> None:
        self.played: list[tuple[str, int]] = []

    async def play(self, table_id: str, _token: str, move: JsonObject, *, version: int, key: str) -> None:
        assert move == PASS
        assert key
        self.played.append((table_id, version))


def forced(**options: Any) -> Table:
    """Return a table of Gatto Rosso whose viewer has to pass."""
    return table(moves=[PASS], deal=view(options=Options(**options)))


def presidente() -> Table:
    """Return a table of Presidente whose viewer may pass or play."""
    hands = [["4h"], ["2c", "3c"], ["5d", "6d"]]
    return position("presidente", hands=hands, table={"cards": ["9h"]}, last=2).table(0)


@pytest.mark.parametrize(
    ("seen", "passing", "alone", "expected"),
    [
        (forced(), "forced", False, "at_once"),
        (forced(), "never", False, "never"),
        (forced(voluntary_pass=True), "forced", False, "never"),
        (forced(voluntary_pass=True), "always", False, "later"),
        (forced(voluntary_pass=True), "forced", True, "at_once"),
        (presidente(), "forced", False, "never"),
        (presidente(), "always", False, "later"),
        (presidente(), "forced", True, "at_once"),
        (table(), "always", False, "never"),
        (structs.replace(forced(), you=0), "always", False, "never"),
    ],
)
def test_the_bot_passes_only_for_who_can_do_nothing_else_and_wants_it(
    seen: Table, passing: Passing, alone: bool, expected: When
) -> None:
    free_pass = GAME_SCREENS[seen.game].free_pass(seen.deal)
    assert when_to_pass(seen, passing, alone=alone, free_pass=free_pass) == expected


def test_a_computer_player_holds_the_hand_of_one_who_is_away() -> None:
    seats = (*forced().seats[:1], Seat(1, "Bruno", "person", None, away=True), *forced().seats[2:])
    assert when_to_pass(structs.replace(forced(), seats=seats), "always", alone=False, free_pass=False) == "never"


async def passed(somebody: Somebody, *, seed: int = 1) -> tuple[list[tuple[str, int]], list[float]]:
    """Draw a person's hand twice; return the passes that the bot made for them, and the seconds before each pass."""
    engine, waited = FakeEngine(), list[float]()

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        await asyncio.sleep(0)

    async with BackgroundTasks() as background:
        passes = AutomaticPasses(cast("EngineClient", engine), background, chance=Random(seed), sleep=sleep)
        for _ in range(2):
            passes.begin(somebody.table, somebody.token, somebody.passes)
        for _ in range(5):
            await asyncio.sleep(0)
    return engine.played, waited


async def test_a_turn_is_passed_once_however_often_it_is_drawn() -> None:
    played, waited = await passed(Somebody(forced(), "at_once"))
    assert played == [("T" * 22, 17)]
    assert waited == [0.0]


async def test_where_a_pass_may_be_chosen_it_takes_as_long_as_a_person_would_each_time_another_time() -> None:
    free = structs.replace(forced(voluntary_pass=True), deadline=None)
    times = [(await passed(Somebody(free, "later"), seed=seed))[1][0] for seed in range(20)]
    least, _, most = THINKING_SECONDS
    assert all(least <= seconds <= most for seconds in times)
    assert len(set(times)) == len(times)


async def test_a_pass_comes_before_half_of_the_time_is_over() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=4)
    _, waited = await passed(Somebody(structs.replace(forced(voluntary_pass=True), deadline=soon), "later"))
    assert waited[0] <= 2.0


BEGAN = NOW.timestamp()


def limited(seconds: int) -> Table:
    """Return a table where a turn with this time limit in seconds has just begun."""
    return table(turn_seconds=seconds, deadline=NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize(("seconds", "left"), [(120, 30), (300, 75), (3600, 900), (86_400, 21_600)])
def test_with_a_limit_one_is_reminded_once_when_a_quarter_of_it_is_left(seconds: int, left: int) -> None:
    state, at = limited(seconds), BEGAN + seconds - left
    assert next_reminder(state, BEGAN, BEGAN) == at
    assert (reminders_due(state, BEGAN, at - 1), reminders_due(state, BEGAN, at)) == (0, 1)
    assert next_reminder(state, BEGAN, at) is None


def test_of_a_turn_of_a_minute_nobody_is_reminded() -> None:
    assert next_reminder(limited(60), BEGAN, BEGAN) is None
    assert reminders_due(limited(60), BEGAN, BEGAN + 59) == 0


def test_without_a_limit_one_is_reminded_each_day() -> None:
    state = table(turn_seconds=None, deadline=None)
    assert next_reminder(state, BEGAN, BEGAN) == BEGAN + DAY
    assert reminders_due(state, BEGAN, BEGAN + DAY - 1) == 0
    assert reminders_due(state, BEGAN, BEGAN + DAY) == 1
    assert next_reminder(state, BEGAN, BEGAN + DAY) == BEGAN + 2 * DAY
    assert reminders_due(state, BEGAN, BEGAN + 2.5 * DAY) == 2


def test_a_deadline_that_is_postponed_reminds_nobody_twice_and_the_next_turn_counts_anew() -> None:
    assert with_reminders("1.1@7", "1.1@7", 0) == "1.1@7"
    assert with_reminders("1.1@7", "1.1@7", 1) == "1.1@7!1"
    assert with_reminders("1.1@7", "1.1@7!1", 0) == "1.1@7!1"
    assert with_reminders("1.1@9", "1.1@7!1", 0) == "1.1@9"


def test_a_reminder_is_what_the_phone_shows_first() -> None:
    soon = hand_screen(view_model(reminders=1), "it")
    assert read(soon).startswith("⏰ Il tuo tempo sta per finire!\n")
    daily = hand_screen(view_model(table=table(turn_seconds=None, deadline=None), reminders=3), "it")
    assert read(daily).startswith("⏰ Ti aspettano da 3 giorni.\n")
