"""Feeds of tables: listeners of an engine get its own commits immediately, each version once and in order."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing

import msgspec
import pytest

from services.engine.service.accounts import group_of
from services.engine.service.listeners import EncodedRemark
from services.engine.service.views import EncodedEvent
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, SeatedPlayers, running_engine, seat_players
from tests.redis_server import empty_database

Following = AsyncGenerator[EncodedEvent | EncodedRemark | None]


class HeldNotifications:
    """Holds back the notifications of an engine until they are released."""

    def __init__(self, engine: RunningEngine, patch: pytest.MonkeyPatch) -> None:
        self._notifications = engine.store._notifications
        self._pass_on = self._notifications._change
        self._held: list[tuple[bytes, bytes]] = []
        self._came = asyncio.Event()
        patch.setattr(self._notifications, "_change", self._hold)

    def _hold(self, channel: bytes, message: bytes) -> None:
        self._held.append((channel, message))
        self._came.set()

    async def release(self, count: int) -> None:
        """Pass on this number of notifications, once they have arrived."""
        while len(self._held) < count:
            self._came.clear()
            await self._came.wait()
        for _ in range(count):
            self._pass_on(*self._held.pop(0))


@pytest.fixture
async def engines() -> AsyncIterator[tuple[RunningEngine, RunningEngine]]:
    """Return two engines on one Redis."""
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(empty_database())
        settings = msgspec.structs.replace(NO_LIMITS, redis_url=url)
        yield (
            await stack.enter_async_context(running_engine(settings)),
            await stack.enter_async_context(running_engine(settings)),
        )


async def followed(players: SeatedPlayers) -> tuple[Following, "asyncio.Task[EncodedEvent | EncodedRemark | None]"]:
    """Follow a table as one of its people. Return the stream of events, and a task that waits for the next event."""
    queries = players.engine.context.service.queries
    following = queries.follow(players.table, players.tokens[1], (), None, account=group_of(""))
    await anext(following)
    following_event = asyncio.create_task(anext(following))
    await players.engine.followed(players.table)
    return following, following_event


def version_of(event: EncodedEvent | EncodedRemark | None) -> int:
    """Return the version of a change."""
    assert isinstance(event, EncodedEvent)
    assert event.event == "change"
    return event.id


async def test_listeners_get_an_engines_own_commits_without_redis_and_once(
    engines: tuple[RunningEngine, RunningEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    players = await seat_players(engines[0])
    version: int = (await players.start())["version"]
    following, event = await followed(players)
    async with aclosing(following):
        held = HeldNotifications(engines[0], monkeypatch)
        await players.play()
        assert version_of(await event) == version + 1
        await players.play()
        await held.release(2)
        await players.play()
        assert [version_of(await anext(following)) for _ in range(2)] == [version + 2, version + 3]


async def test_listeners_get_another_engines_commit_before_the_own_one_that_follows_it(
    engines: tuple[RunningEngine, RunningEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = await seat_players(engines[0])
    there = SeatedPlayers(engines[1], here.table, here.tokens)
    version: int = (await here.start())["version"]
    following, event = await followed(here)
    async with aclosing(following):
        held = HeldNotifications(engines[0], monkeypatch)
        await there.play()
        await here.play()
        await held.release(2)
        assert version_of(await event) == version + 1
        assert version_of(await anext(following)) == version + 2
