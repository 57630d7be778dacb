"""Engines and Redis are killed during matches: each turn's notice still arrives, by webhook and by push.

A notice that arrives twice has the same id.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import BinaryIO

import pytest

from locanda import messages
from locanda.client import EngineClient, RetryPolicy
from locanda.messages.subscriptions import NoticeType
from services.engine.store import connect
from tests.e2e import notices_process
from tests.e2e.processes import EngineProcess, fork, running
from tests.engine.http.hook_receiver import HookReceiver, hook_receiver
from tests.engine.http.push_receiver import PushReceiver, push_receiver
from tests.forked import ForkedProcess
from tests.redis_server import RedisServer
from tests.secrecy import NoticeGuard
from tests.waiting import until

SETTINGS = {"ENGINE_WEBHOOKS": "on", "ENGINE_OUTBOUND_PRIVATE": "127.0.0.0/8"}
RECEIVERS: dict[str, Callable[[], AbstractAsyncContextManager[HookReceiver | PushReceiver]]] = {
    "webhook": hook_receiver,
    "push": push_receiver,
}
TABLES = 8
PATIENCE = 120.0
ALL: tuple[NoticeType, ...] = ("turn", "over", "closed", "invitation", "evening")


class Engine(EngineProcess):
    """An engine that retries notices after very short pauses."""

    async def _launch(self, log: BinaryIO) -> ForkedProcess:
        return await fork(notices_process.main, self._env(), log)


class Players:
    """People who play at tables until the test stops them.

    They make each move once the notice of the turn has arrived.
    """

    def __init__(self, engine: EngineClient, receiver: HookReceiver | PushReceiver) -> None:
        self.engine = engine
        self.receiver = receiver
        self.stop = False
        self.news: set[tuple[str, int]] = set()
        """The table and the version of each expected notice."""
        self.evenings: set[tuple[str, str]] = set()
        """The table and the time of each evening with push invitations."""

    async def play(self, number: int) -> None:
        """Play one match after another at one table."""
        seats = [await self.engine.open_table(messages.OpenTable("gatto_rosso", "Anna"))]
        table = seats[0].table.id
        seats.append(await self.engine.sit(table, messages.SitDown("Bruno")))
        tokens = [seat.token or "" for seat in seats]
        await self.subscribe(table, tokens[0], f"/{number}")
        await self.meet_again(table, tokens[0])
        now = await self.engine.start(table, tokens[0])
        while True:
            await self.hear_of(now)
            if self.stop:
                return
            now = await (self.take_turn(now, tokens) if _turn(now) else self.stay(table, tokens))

    async def stay(self, table: str, tokens: list[str]) -> messages.Table:
        """Begin the next match, for which both people stay."""
        await self.meet_again(table, tokens[0])
        await self.engine.answer_rematch(table, 0, tokens[0], messages.AnswerRematch(stays=True))
        return await self.engine.answer_rematch(table, 1, tokens[1], messages.AnswerRematch(stays=True))

    async def meet_again(self, table: str, token: str) -> None:
        """Set a table's next evening. The invitations are pushed at once."""
        if isinstance(self.receiver, PushReceiver):
            starts = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=2, seconds=len(self.evenings))
            await self.engine.set_evening(table, token, "ramino", starts)
            invited = table, starts.isoformat()
            self.evenings.add(invited)
            evenings = self.receiver.evenings
            await until(lambda: invited in evenings, PATIENCE)

    async def subscribe(self, table: str, token: str, path: str) -> None:
        """Subscribe the receiver to the notices of all turns."""
        if isinstance(self.receiver, PushReceiver):
            browser = messages.PushBrowser(**self.receiver.browser(path))
            await self.engine.subscribe(table, token, messages.Subscribe(browser=browser, types=ALL, whole_table=True))
            return
        subscription = messages.Subscribe(self.receiver.url + path, whole_table=True)
        self.receiver.secrets[path] = (await self.engine.subscribe(table, token, subscription)).secret or ""

    async def hear_of(self, table: messages.Table) -> None:
        self.news.add((table.id, table.version))
        await until(lambda: (table.id, table.version) in self.receiver.came, PATIENCE)

    async def take_turn(self, table: messages.Table, tokens: list[str]) -> messages.Table:
        """Make moves until another seat is on turn or another deal begins, and return the table at that moment."""
        begun, now = _turn(table), table
        assert begun
        while _turn(now) == begun:
            seen = await self.engine.table(table.id, tokens[begun[1]])
            assert seen.moves
            now = (await self.engine.play(table.id, tokens[begun[1]], seen.moves[0])).table
        return now


def _turn(table: messages.Table) -> tuple[int, int] | None:
    """Return the number of the deal and the seat on turn, or None once the match is over."""
    if table.status != "playing" or table.deal is None or table.deal.turn is None:
        return None
    return table.match.deal, table.deal.turn


async def kill_one_or_more(engines: list[Engine], redis: RedisServer) -> None:
    """Kill an engine, both engines or Redis after a random moment, and start them again."""
    await asyncio.sleep(random.uniform(0, 0.5))
    victims: list[Callable[[], Awaitable[object]]] = [
        *(lambda engine_=engine: _restart(engine_) for engine in engines),
        lambda: asyncio.gather(*(_restart(engine) for engine in engines)),
        lambda: asyncio.to_thread(redis.restart),
    ]
    await random.choice(victims)()


async def _restart(engine: Engine) -> None:
    await engine.kill()
    await engine.start()


@pytest.mark.costly
@pytest.mark.parametrize(
    ("kills", "channel"),
    [(2, "push"), *(pytest.param(200, receiver, marks=pytest.mark.long) for receiver in RECEIVERS)],
)
@pytest.mark.timeout(5400)
async def test_no_notice_is_lost_when_engines_and_redis_are_killed(
    mortal_redis: RedisServer, tmp_path: Path, kills: int, channel: str
) -> None:
    engines = [Engine(tmp_path / f"{name}.log", mortal_redis.url, None, **SETTINGS) for name in ("one", "other")]
    retry = RetryPolicy(answer_timeout=5.0, budget=PATIENCE)
    async with (
        RECEIVERS[channel]() as receiver,
        running(*engines),
        EngineClient.connect(engines[0].url, retry=retry) as client,
        _notice_guard(mortal_redis.url) as guard,
    ):
        if isinstance(receiver, PushReceiver):
            receiver.inspect = guard.inspect
        players = Players(client, receiver)
        async with asyncio.TaskGroup() as playing:
            for number in range(TABLES):
                playing.create_task(players.play(number))
            for _ in range(kills):
                await kill_one_or_more(engines, mortal_redis)
            players.stop = True
    doubled = receiver.ids.total() - len(receiver.ids)
    notices = len(players.news) + len(players.evenings)
    print(f"{channel}: {kills} kills, {notices} notices, {len(players.evenings)} of evenings, {doubled} came again")
    assert players.news == receiver.came
    assert len(receiver.ids) == notices
    if isinstance(receiver, PushReceiver):
        assert players.evenings == receiver.evenings
        guard.assert_none()


@asynccontextmanager
async def _notice_guard(redis: str) -> AsyncIterator[NoticeGuard]:
    store = await connect(redis)
    yield NoticeGuard(store)
    await store.close()
