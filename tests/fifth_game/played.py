"""Highest Card is played over the API, in a chat and in a terminal. Run in the copy that `test_fifth_game.py` makes."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from aiohttp import ClientSession

from examples.play_a_match import match
from locanda import verify
from locanda.client import EngineClient
from tests.e2e.engine_and_bot import API_KEY, EngineAndBot, running_engine_and_bot
from tests.e2e.players import GroupPlayers
from tests.emulator import Emulator
from tests.engine.table.local_rules import LocalRules
from tests.forked import ROOT
from tests.redis_server import RedisServer
from tests.terminal.pseudo_terminal import run_locanda

GAME = "highest_card"


@pytest.fixture
async def telegram() -> AsyncIterator[Emulator]:
    async with Emulator() as telegram:
        yield telegram


@pytest.fixture
async def engine_and_bot(telegram: Emulator, redis_server: RedisServer) -> AsyncIterator[EngineAndBot]:
    async with running_engine_and_bot(telegram, redis_server.url) as engine_and_bot:
        yield engine_and_bot


async def test_over_the_api(engine_and_bot: EngineAndBot) -> None:
    async with EngineClient.connect(engine_and_bot.engine_url, api_key=API_KEY) as engine:
        assert [game.game for game in await engine.games()][-1] == GAME
        over, published = await match(engine, GAME, 2)
        assert over.match.result is not None
        assert sum(over.match.points) == 6
        proof = msgspec.json.decode(msgspec.json.encode(await engine.proof(over.id, 1)))
        report = verify.examine(proof, published, rules=LocalRules())
        assert report.exit_code == verify.AGREES
        assert set(report.uncovered) == {"moves", "start.options"}


async def test_in_the_document_and_its_page(engine_and_bot: EngineAndBot) -> None:
    async with ClientSession(engine_and_bot.engine_url) as session:
        for path in ("/openapi.json", "/docs"):
            async with session.get(path) as answer:
                assert answer.status == 200
                assert GAME in await answer.text()


async def test_in_a_chat(engine_and_bot: EngineAndBot, telegram: Emulator) -> None:
    players = GroupPlayers(telegram)
    players.people.remove(players.carla)
    await players.begin("Carta più alta")
    over = await players.play_to_the_end()
    assert "🔝" in over.text
    assert "Vince" in over.text


async def test_in_a_terminal(engine_and_bot: EngineAndBot, tmp_path: Path) -> None:
    arguments = ("play", GAME, "--server", engine_and_bot.engine_url, "--name", "Mara", "--computers", "1")
    async with run_locanda(tmp_path, *arguments, PYTHONPATH=str(ROOT / "shared"), LOCANDA_API_KEY=API_KEY) as mara:
        end = await mara.play()
        assert "wins!" in end
