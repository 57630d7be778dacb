"""The example games are played over the API, in a chat and in a terminal, in an environment with them installed.

`test_packages.py` runs this program in an environment with installed wheels. The engine and the bot come from the
source tree.
"""

import sys
from collections.abc import AsyncIterator
from importlib import import_module
from pathlib import Path

import msgspec
import pytest
from aiohttp import ClientSession

from examples.play_a_match import match
from locanda import messages, verify
from locanda.client import EngineClient
from services.telegram.screens.hand import hand_screen
from tests.e2e.engine_and_bot import API_KEY, EngineAndBot, running_engine_and_bot
from tests.e2e.players import GroupPlayers
from tests.emulator import Emulator
from tests.engine.table.local_rules import LocalRules
from tests.redis_server import RedisServer
from tests.telegram.played_deals import played_deals
from tests.terminal.pseudo_terminal import run_on_terminal

EXAMPLES = ("briscola", "scopa", "tressette")
GAMES = pytest.mark.parametrize("game", EXAMPLES)


@pytest.fixture
async def telegram() -> AsyncIterator[Emulator]:
    async with Emulator() as telegram:
        yield telegram


@pytest.fixture
async def engine_and_bot(telegram: Emulator, redis_server: RedisServer) -> AsyncIterator[EngineAndBot]:
    async with running_engine_and_bot(telegram, redis_server.url) as engine_and_bot:
        yield engine_and_bot


def test_what_is_played_is_installed() -> None:
    for name in ("locanda", *(f"locanda_{game}" for game in EXAMPLES)):
        assert Path(str(import_module(name).__file__)).is_relative_to(sys.prefix)


@pytest.mark.parametrize(
    ("game", "players"),
    [("briscola", 2), ("briscola", 4), ("scopa", 3), ("scopa", 4), ("tressette", 2), ("tressette", 4)],
)
async def test_over_the_api(engine_and_bot: EngineAndBot, game: str, players: int) -> None:
    async with EngineClient.connect(engine_and_bot.engine_url, api_key=API_KEY) as engine:
        over, published = await match(engine, game, players)
        assert over.match.result is not None
        if players == 4:
            assert over.match.points[:2] == over.match.points[2:]
            assert over.match.result.teams == ((0, 2), (1, 3))
        proof = msgspec.json.decode(msgspec.json.encode(await engine.proof(over.id, 1)))
        report = verify.examine(proof, published, rules=LocalRules())
        assert report.exit_code == verify.NOTHING_TO_COMPARE
        assert set(report.uncovered) == {"dealing", "moves", "start.options"}
        known = verify.Published(
            published.commitment, published.client_seeds, (await engine.game(messages.GameName(game))).dealing or None
        )
        assert verify.examine(proof, known, rules=LocalRules()).exit_code == verify.AGREES


async def test_they_are_in_the_document_its_page_and_the_probe(engine_and_bot: EngineAndBot) -> None:
    async with ClientSession(engine_and_bot.engine_url) as session:
        for path in ("/openapi.json", "/docs"):
            async with session.get(path) as answer:
                text = await answer.text()
                assert answer.status == 200
                assert "briscola" in text
                assert "scopa" in text
        async with session.get("/readyz") as answer:
            ready = await answer.json()
            assert ready["games"]["scopa"] == "locanda-scopa 0.1.0"
            assert ready["left_out"] == {}


async def test_words_tell_what_lies_on_the_declared_piles(engine_and_bot: EngineAndBot) -> None:
    client = EngineClient.connect(engine_and_bot.engine_url, api_key=API_KEY, language="en", words=True)
    async with client as engine:
        host = await engine.open_table(messages.OpenTable(game=messages.GameName("briscola"), name="Anna"))
        await engine.sit(host.table.id, messages.SitDown(name="Bruno"))
        table = await engine.start(host.table.id, host.token or "")
        assert table.words
        piles = table.words.piles
        assert set(piles) == {"table", "stock", "trump", "captured.0", "captured.1"}
        assert (piles["stock"], piles["captured.0"]) == ("33 cards", "—")
        assert len(piles["trump"]) == 2


@GAMES
async def test_in_a_chat(engine_and_bot: EngineAndBot, telegram: Emulator, game: str) -> None:
    players = GroupPlayers(telegram)
    players.people.remove(players.carla)
    await players.begin(game.capitalize())
    over = await players.play_by_selecting()
    assert "🎴" in over.text
    assert "Vince" in over.text


@GAMES
def test_no_picture_of_a_french_card_stands_for_one_of_the_italian_suits(game: str) -> None:
    played = next(iter(played_deals(game, 1)))
    screen = hand_screen(played.view_model(played.turn), "it", photo=True)
    assert not screen.photo
    assert {button.card for row in screen.rows for button in row} == {None}


@GAMES
async def test_in_a_terminal(engine_and_bot: EngineAndBot, tmp_path: Path, game: str) -> None:
    arguments = ("play", game, "--server", engine_and_bot.engine_url, "--name", "Mara", "--computers", "1")
    async with run_on_terminal(tmp_path, f"{sys.prefix}/bin/locanda", *arguments, LOCANDA_API_KEY=API_KEY) as mara:
        end = await mara.play()
        assert "wins!" in end or "A draw between" in end
