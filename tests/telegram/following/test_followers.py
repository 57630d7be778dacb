"""Followers of tables during outages, and after a match."""

import asyncio
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from structlog.testing import capture_logs

from services.telegram.following import followers
from services.telegram.following.followers import TableFollower
from services.telegram.repositories.keys import Subject
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, plays_until, plays_until_one_has_one_card
from tests.telegram.lobby_steps import deal
from tests.waiting import until


class FailingParts:
    """A bot whose Redis raises one of these errors at each search for a table, and finds no table after the last."""

    def __init__(self, *errors: Exception) -> None:
        self._errors = [*errors]
        self.repositories = self.chat_tables = self

    async def find(self, _ref: str) -> None:
        """Raise the next error."""
        if self._errors:
            raise self._errors.pop(0)


async def test_an_outage_of_redis_is_one_warning_and_an_error_of_the_bot_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(followers, "RETRY_SECONDS", 0.0)
    away = RedisConnectionError("away")
    parts: Any = FailingParts(away, away, ZeroDivisionError())
    follower = TableFollower("Ab3-Ef_8", parts, lambda _: None)
    with capture_logs() as lines:
        follower.wake()
        assert follower._task is not None
        await follower._task
    assert [(line["log_level"], line["event"], "exc_info" in line) for line in lines] == [
        ("warning", "table_not_drawn", False),
        ("error", "table_not_drawn", True),
    ]


async def test_a_table_whose_match_has_been_over_for_long_is_not_followed_any_more(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followers, "OVER_SECONDS", 0.01)
    people = [anna, bruno]
    await deal(people, group)
    await plays_until_one_has_one_card(harness, people)
    await plays_until(people, lambda: group.shows(button="Ci sto"))
    assert harness.followers is not None
    [follower] = harness.followers._followers.values()
    await until(lambda: not follower.running)


async def test_however_often_a_person_of_many_tables_changes_something_each_table_is_drawn_once_at_a_time(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deal([anna, bruno], group)
    await harness.settle()
    assert harness.context is not None
    assert harness.followers is not None
    changes, woken = harness.context.repositories.changes, list[str]()
    monkeypatch.setattr(followers, "AT_ONCE", 0)
    monkeypatch.setattr(followers, "NEXT_SECONDS", 1.0)
    monkeypatch.setattr(harness.followers, "wake", woken.append)
    for _ in range(100):
        changes.note(Subject("person", str(anna.id)))
        await asyncio.sleep(0)
    await until(lambda: not changes.waiting)
    assert len(woken) == 2
