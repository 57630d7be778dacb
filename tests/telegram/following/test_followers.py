"""Followers of tables: what they do while something is away."""

import asyncio
from collections.abc import AsyncGenerator
from typing import cast

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from structlog.testing import capture_logs

from locanda.client import EngineClient
from locanda.messages import EventItem, EventPage, Table
from services.telegram.following import followers
from services.telegram.following.presenting import TablePresenter, TableProgress
from services.telegram.records import ChatTable
from services.telegram.repositories.chat_tables import ChatTableRepository
from services.telegram.tables.lookup import TableLookup
from tests.telegram import samples


class FailingTables:
    """A repository of tables: each search finds the next of these, an error is raised; after them no table is found."""

    def __init__(self, *found: ChatTable | Exception) -> None:
        self._found = [*found]

    async def find(self, _ref: str) -> ChatTable | None:
        """Return or raise the next."""
        found = self._found.pop(0) if self._found else None
        if isinstance(found, Exception):
            raise found
        return found

    async def presented_version(self, _ref: str) -> int:
        """Everything was told."""
        return 17


class QuietEngine:
    """An engine of one table at which one thing happens."""

    async def event_page(self, _table: str) -> EventPage:
        """Return no events."""
        return EventPage(events=[])

    async def table(self, _table: str) -> Table:
        """Return the table."""
        return samples.table()

    async def events(self, _table: str, *, after: int | None, **_seats: object) -> AsyncGenerator[EventItem]:
        """Yield it, and wait for ever."""
        yield EventItem(id=after or 0, event="change", table=samples.table())
        await asyncio.Event().wait()


class EmptyLookup:
    """A lookup of tables at which nobody sits."""

    async def tokens(self, _ref: str) -> dict[int, str]:
        """Return no tokens."""
        return {}

    def keep_view(self, _ref: str, _token: str, _table: Table) -> None:
        """Keep nothing."""


NOBODY = cast("TableLookup", EmptyLookup())


class QuietPresenter:
    """A presenter that has nothing to draw."""

    async def present(self, _chat_table: ChatTable, _progress: TableProgress) -> None:
        """Draw nothing."""

    async def finish(self, _chat_table: ChatTable, _table: Table) -> bool:
        """The match is not over."""
        return False


async def nothing(_ref: str) -> None:
    """A table that is gone changes nothing here."""


async def test_an_outage_of_redis_is_one_warning_and_an_error_of_the_bot_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(followers, "RETRY_SECONDS", 0.0)
    away = RedisConnectionError("away")
    tables = cast("ChatTableRepository", FailingTables(away, away, ZeroDivisionError()))
    follower = followers.TableFollower(
        "Ab3-Ef_8", cast("EngineClient", None), tables, NOBODY, cast("TablePresenter", None), nothing
    )
    with capture_logs() as lines:
        follower.start()
        assert follower._task is not None
        await follower._task
    assert [(line["log_level"], line["event"], "exc_info" in line) for line in lines] == [
        ("warning", "table_not_drawn", False),
        ("error", "table_not_drawn", True),
    ]


async def test_a_second_outage_of_redis_is_a_second_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followers, "RETRY_SECONDS", 0.0)
    away, there = RedisConnectionError("away"), ChatTable("Ab3-Ef_8", -1, None, "A", "gatto_rosso", 1, engine="T" * 22)
    tables = cast("ChatTableRepository", FailingTables(away, away, there, there, away, away))
    follower = followers.TableFollower(
        "Ab3-Ef_8",
        cast("EngineClient", QuietEngine()),
        tables,
        NOBODY,
        cast("TablePresenter", QuietPresenter()),
        nothing,
    )
    with capture_logs() as lines:
        follower.start()
        assert follower._task is not None
        await follower._task
    assert [line["event"] for line in lines] == ["table_not_drawn", "table_not_drawn"]
