"""A confirmed move is never lost and never made twice, in spite of kills and races."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import pytest

from locanda.client import EngineClient
from locanda.client.transport import RetryPolicy
from locanda.errors import ConflictError, EngineError, IllegalMoveError, StaleError, UnavailableError
from locanda.messages import GameName, GivenMove, GivenOptions, JsonObject, OpenTable, SitDown, Table
from tests.e2e.processes import ForkedEngine, running
from tests.redis_server import RedisServer
from tests.sampling import WHOLE
from tests.waiting import until

pytestmark = pytest.mark.costly

T = TypeVar("T")

PLAYERS = ("Anna", "Bruno", "Carla")

PASS = GivenMove({"type": "pass"})


class Group:
    """Three people at a table, their tokens, and every response that confirmed a move."""

    def __init__(self, table: str, tokens: list[str]) -> None:
        self.table = table
        self.tokens = tokens
        self.confirmed: dict[int, tuple[int, JsonObject]] = {}

    @classmethod
    async def sit(cls, engine: EngineClient, *, deals: int = 1) -> "Group":
        return await cls.gather(engine, "gatto_rosso", PLAYERS, {"deals": deals})

    @classmethod
    async def gather(cls, engine: EngineClient, game: str, players: Sequence[str], options: JsonObject) -> "Group":
        first = await engine.open_table(OpenTable(game=GameName(game), name=players[0], options=GivenOptions(options)))
        table = first.table.id
        others = [await engine.sit(table, SitDown(name=name)) for name in players[1:]]
        tokens = [seated.token for seated in (first, *others) if seated.token]
        await engine.start(table, tokens[0])
        return cls(table, tokens)

    def confirm(self, answer: Table, seat: int, move: JsonObject) -> None:
        assert answer.version not in self.confirmed, "two responses name the same version"
        self.confirmed[answer.version] = (seat, move)

    async def check_against_the_proof(self, engine: EngineClient, deals: int) -> None:
        """Check that the confirmed moves are exactly the moves of the deals, version by version."""
        played = []
        for deal in range(1, deals + 1):
            proof = await engine.proof(self.table, deal)
            played += [(made.seat, made.move) for made in proof.moves]
        assert [self.confirmed[version] for version in sorted(self.confirmed)] == played


async def stubbornly(call: Callable[[], Awaitable[T]]) -> T:
    """Repeat a request for as long as the engine is unavailable."""
    while True:
        try:
            return await call()
        except UnavailableError:
            await asyncio.sleep(0.05)


async def play_until_over(group: Group, seat: int, url: str) -> None:
    """Play one seat on its turns. A move without a response is repeated with the same key."""
    table, token = group.table, group.tokens[seat]
    async with EngineClient.connect(url) as engine:
        seen = await stubbornly(lambda: engine.table(table, token))
        while seen.status == "playing":
            version, key = seen.version, str(uuid4())
            if not seen.moves:
                seen = await stubbornly(partial(engine.table, table, token, after=version, wait=2))
                continue
            move = random.choice(seen.moves)
            answer = await stubbornly(partial(engine.play, table, token, move, version=version, key=key))
            group.confirm(answer.table, seat, move)
            seen = answer.table


async def flood(group: Group, seat: int, url: str, refused: list[str]) -> None:
    """Send many moves without reading the table or naming a version. Most are refused, and some are played."""
    token = group.tokens[seat]
    async with EngineClient.connect(url) as engine:
        while True:
            seen = await engine.table(group.table, token)
            if seen.status != "playing":
                return
            moves = seen.moves or [PASS]
            for move in (random.choice(moves), PASS):
                try:
                    answer = await engine.play(group.table, token, move)
                except (ConflictError, IllegalMoveError, StaleError) as error:
                    refused.append(error.code)
                else:
                    group.confirm(answer.table, seat, move)


async def test_two_replicas_flooded_with_moves_for_one_table_play_each_accepted_one_once(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    engines = [ForkedEngine(tmp_path / f"engine{n}.log", redis_server.url) for n in range(2)]
    async with running(*engines), EngineClient.connect(engines[0].url) as engine:
        group = await Group.sit(engine)
        refused: list[str] = []
        async with asyncio.TaskGroup() as flooding:
            for seat in range(len(PLAYERS)):
                for replica in (*engines, *engines):
                    flooding.create_task(flood(group, seat, replica.url, refused))
        await group.check_against_the_proof(engine, deals=1)
        assert "not_your_turn" in refused


async def test_an_engine_killed_again_and_again_loses_and_doubles_nothing(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    replica = ForkedEngine(tmp_path / "engine.log", redis_server.url)
    async with running(replica):
        async with EngineClient.connect(replica.url) as engine:
            group = await Group.sit(engine, deals=3)
        async with asyncio.TaskGroup() as people:
            for seat in range(len(PLAYERS)):
                people.create_task(play_until_over(group, seat, replica.url))
            for _ in range(4 if WHOLE else 2):
                await asyncio.sleep(random.uniform(0.1, 0.4))
                await replica.kill()
                await replica.start()
        async with EngineClient.connect(replica.url) as engine:
            await group.check_against_the_proof(engine, deals=3)


async def test_a_redis_killed_in_the_middle_keeps_what_was_confirmed(mortal_redis: RedisServer, tmp_path: Path) -> None:
    replica = ForkedEngine(tmp_path / "engine.log", mortal_redis.url)
    async with running(replica), EngineClient.connect(replica.url) as engine:
        group = await Group.sit(engine, deals=3)
        async with (
            asyncio.TaskGroup() as people,
            EngineClient.connect(replica.url, retry=RetryPolicy(budget=0.0)) as asker,
        ):
            for seat in range(len(PLAYERS)):
                people.create_task(play_until_over(group, seat, replica.url))
            await until(lambda: group.confirmed)
            await asyncio.to_thread(mortal_redis.kill)
            with pytest.raises(EngineError):
                await asker.table(group.table)
            await asyncio.to_thread(mortal_redis.start)
        await group.check_against_the_proof(engine, deals=3)


async def test_a_stopped_engine_ends_its_streams_orderly_and_they_go_on_elsewhere(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    replica = ForkedEngine(tmp_path / "engine.log", redis_server.url)
    async with running(replica), EngineClient.connect(replica.url) as engine:
        group = await Group.sit(engine)
        async with aclosing(engine.events(group.table)) as stream:
            before = (await anext(stream)).table
            assert await replica.stop() == 0
            await replica.start()
            token = group.tokens[before.deal.turn or 0] if before.deal else ""
            moves = (await engine.moves(group.table, token)).moves
            await engine.play(group.table, token, moves[0])
            after = await anext(stream)
            assert (after.event, after.id) == ("change", before.version + 1)
    log = await replica.log()
    assert not any(token in log for token in group.tokens)
