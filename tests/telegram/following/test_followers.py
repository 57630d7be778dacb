"""Followers of tables: what they do while something is away."""

from typing import cast

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from structlog.testing import capture_logs

from locanda.client import EngineClient
from services.telegram.following import followers
from services.telegram.following.notifying import Notifier
from services.telegram.records import ChatTable
from services.telegram.repositories.chat_tables import ChatTableRepository


class FailingTables:
    """A repository of tables that raises errors, then finds no table."""

    def __init__(self, *errors: Exception) -> None:
        self._errors = [*errors]

    async def find(self, _ref: str) -> ChatTable | None:
        """Raise the next error, if any is left."""
        if self._errors:
            raise self._errors.pop(0)
        return None


async def nothing(_ref: str) -> None:
    """A table that is gone changes nothing here."""


async def test_an_outage_of_redis_is_one_warning_and_an_error_of_the_bot_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(followers, "RETRY_SECONDS", 0.0)
    away = RedisConnectionError("away")
    tables = cast("ChatTableRepository", FailingTables(away, away, ZeroDivisionError()))
    follower = followers.TableFollower("Ab3-Ef_8", cast("EngineClient", None), tables, cast("Notifier", None), nothing)
    with capture_logs() as lines:
        follower.start()
        assert follower._task is not None
        await follower._task
    assert [(line["log_level"], line["event"], "exc_info" in line) for line in lines] == [
        ("warning", "table_not_drawn", False),
        ("error", "table_not_drawn", True),
    ]
