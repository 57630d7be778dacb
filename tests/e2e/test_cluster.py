"""Two engines on a Redis Cluster: matches go on although primaries die."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from locanda.client import EngineClient
from locanda.messages import JsonObject, OpenTable, SitDown
from tests.e2e.processes import ForkedEngine, running
from tests.e2e.test_exactly_once import PLAYERS, Group, play_until_over, stubbornly
from tests.redis_cluster import Cluster
from tests.sampling import WHOLE
from tests.waiting import until

pytestmark = pytest.mark.costly

MATCHES: list[tuple[str, int, JsonObject]] = [
    ("gatto_rosso", 3, {"deals": 1}),
    ("presidente", 3, {"deals": 1}),
    *([("ramino", 3, {"target": 1}), ("diavoletto", 2, {})] if WHOLE else []),
]
"""Games, numbers of seats and options. All games are the same for the store, so most runs play short games."""
SOON = 180.0
MOVES = 20
"""Moves that computer players make through a failover. Only a few of them come before a primary is killed."""


@asynccontextmanager
async def two_engines(cluster: Cluster, directory: Path) -> AsyncIterator[list[ForkedEngine]]:
    engines = [ForkedEngine(directory / f"engine{number}.log", cluster.url) for number in range(2)]
    async with running(*engines):
        yield engines


async def test_matches_go_on_through_a_failover_and_nothing_confirmed_is_lost(
    mortal_cluster: Cluster, tmp_path: Path
) -> None:
    async with two_engines(mortal_cluster, tmp_path) as engines, EngineClient.connect(engines[0].url) as engine:
        groups = [await Group.gather(engine, game, PLAYERS[:seats], {**options}) for game, seats, options in MATCHES]
        victim = await asyncio.to_thread(mortal_cluster.primary_of, "locanda:{10}:mark")
        async with asyncio.timeout(SOON), asyncio.TaskGroup() as people:
            for group in groups:
                for seat in range(len(group.tokens)):
                    people.create_task(play_until_over(group, seat, engines[seat % 2].url))
            await until(lambda: any(group.confirmed for group in groups))
            await asyncio.to_thread(victim.kill)
        for group in groups:
            await group.check_against_the_proof(engine, deals=1)


async def test_the_clock_streams_and_the_listing_go_on_through_a_failover(
    mortal_cluster: Cluster, tmp_path: Path
) -> None:
    async with two_engines(mortal_cluster, tmp_path) as engines, EngineClient.connect(engines[0].url) as engine:
        opened = [
            await engine.open_table(OpenTable("presidente", "Anna", {"deals": 1}, listed=True)) for _ in range(12)
        ]
        playing = random.choice(opened)
        for _ in range(3):
            await engine.sit(playing.table.id, SitDown("Gatto", kind="computer"), playing.token)
        assert playing.token
        victim = await asyncio.to_thread(mortal_cluster.primary_of, "locanda:beat")
        started = await engine.start(playing.table.id, playing.token)
        await engine.leave(playing.table.id, 0, playing.token)
        await asyncio.to_thread(victim.kill)
        async with asyncio.timeout(SOON):
            async for event in engine.events(playing.table.id, after=started.version):
                if event.table.version >= started.version + MOVES:
                    break
            page = await stubbornly(lambda: engine.tables(limit=20))
        assert {table.id for table in page.tables} == {seat.table.id for seat in opened} - {playing.table.id}
