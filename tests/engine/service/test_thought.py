"""An engine's worker processes: they are killed during searches, and report their errors."""

import os
import signal
from collections.abc import AsyncIterator

import pytest
from msgspec import structs

from locanda.games import choosing
from locanda.games.players import AnySituation, Situation
from locanda.games.rules import GAMES
from locanda.games.shuffling import shuffle
from services.engine.service import thought
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, SeatedPlayers, running_engine, seat_players
from tests.waiting import until

LONG = {"game": "presidente", "options": {"deals": 20}}
QUICK = structs.replace(NO_LIMITS, engine_think_workers=1, engine_think_cpu_ms=20)


@pytest.fixture
async def engine() -> AsyncIterator[RunningEngine]:
    async with running_engine(QUICK) as running:
        yield running


async def hard_table(engine: RunningEngine) -> SeatedPlayers:
    """Start a long match between four computer players of level hard, without people."""
    players = await seat_players(engine, 1, substitute_level="hard", **LONG)
    for number in range(3):
        body = {"name": f"Robot {number}", "kind": "computer", "level": "hard"}
        assert (await engine.post(f"{players.path}/seats", body, token=players.tokens[0])).status == 201
    await players.start()
    await engine.ask("DELETE", f"{players.path}/seats/0", token=players.tokens[0])
    return players


async def version(players: SeatedPlayers) -> int:
    number: int = (await players.see())["version"]
    return number


def processes(engine: RunningEngine) -> list[int]:
    return engine.context.service.workers.processes


@pytest.mark.slow
async def test_a_table_goes_on_when_the_process_that_thinks_is_killed(engine: RunningEngine) -> None:
    players = await hard_table(engine)
    killed: set[int] = set()
    while len(killed) < 3:
        await until(lambda: set(processes(engine)) - killed, 120)
        process, *_ = set(processes(engine)) - killed
        before = await version(players)
        os.kill(process, signal.SIGKILL)
        killed.add(process)

        async def moved_on(before: int = before) -> bool:
            return await version(players) >= before + 5

        await until(moved_on, 120)
    assert (await players.see())["status"] == "playing"


@pytest.mark.slow
async def test_an_engine_that_ends_leaves_no_process_behind() -> None:
    async with running_engine(QUICK) as engine:
        players = await hard_table(engine)
        await until(lambda: processes(engine), 120)
        process, *_ = processes(engine)
        assert await version(players) > 0
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_an_error_of_a_game_is_not_blamed_on_the_events_that_a_client_sends(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise IndexError

    monkeypatch.setattr(choosing, "choose", fail)
    game = next(iter(GAMES.values()))
    deal = game.deal(game.options(), 2, 0, bytes(32), shuffle, None)
    situation: AnySituation = Situation(game.view(deal, deal.turn), ())
    question = thought.question(game, situation, "easy", b"seed", thought.ThoughtBudget(iterations=0))
    with pytest.raises(IndexError):
        thought.answer_posted(thought.encoded(question))
