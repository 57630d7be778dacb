"""The programs in examples/ run."""

import asyncio
import re
import sys
from pathlib import Path

import pytest
from msgspec import structs

from locanda.client import EngineClient
from locanda.games.registry import GAME_NAMES
from locanda.messages import GameName, OpenTable, SitDown
from tests.e2e.processes import ROOT
from tests.engine.http.engine_server import NO_LIMITS, running_engine
from tests.programs import program
from tests.redis_server import free_port
from tests.sampling import costly_but_for
from tests.waiting import until


@pytest.mark.parametrize("game", costly_but_for("gatto_rosso", GAME_NAMES))
async def test_a_client_of_the_api_alone_plays_a_match_to_its_end(game: str) -> None:
    async with running_engine() as engine:
        script = (sys.executable, "-m", "examples.play_a_match", game, engine.url("/"))
        process = await asyncio.create_subprocess_exec(*script, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
        output, _ = await asyncio.wait_for(process.communicate(), 90)
    assert process.returncode == 0
    lines = output.decode().splitlines()
    assert re.fullmatch(r"1\. .*(Anna|Bruno) \(\d+\)", lines[0])
    deals = [line for line in lines if line.startswith("Deal ")]
    assert deals
    assert all(line.endswith("dealt as committed") for line in deals)


SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
LEARNED = (sys.executable, "-m", "examples.learned_player")
OWN_PLAYERS = {
    "python": ("gatto_rosso", (sys.executable, "-m", "examples.own_player"), ()),
    "javascript": ("gatto_rosso", ("node", "examples/own_player.mjs"), (SECRET,)),
    "learned": ("presidente", (*LEARNED, "play", "{net}"), ()),
}


async def listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


@pytest.mark.parametrize("language", costly_but_for("python", OWN_PLAYERS))
async def test_an_own_player_is_asked_for_every_move_of_its_seat(language: str, inline: None, tmp_path: Path) -> None:
    game, command, secret = OWN_PLAYERS[language]
    net, port = str(tmp_path / "net.npz"), free_port()
    if language == "learned":
        learning = await asyncio.create_subprocess_exec(*LEARNED, "learn", net, "1", cwd=ROOT)
        assert await learning.wait() == 0
    runs = await asyncio.to_thread(program, command[0])
    command = (runs, *(part.format(net=net) for part in command[1:]))
    player = await asyncio.create_subprocess_exec(*command, str(port), *secret, cwd=ROOT)
    settings = structs.replace(
        NO_LIMITS,
        engine_players=" ".join([f"ada=http://127.0.0.1:{port}/", *secret]),
        engine_outbound_private="127.0.0.1",
    )
    try:
        await until(lambda: listens(port))
        async with running_engine(settings) as running, EngineClient.connect(running.url("/")) as engine:
            seated = await engine.open_table(OpenTable(GameName(game), "Anna"))
            table, token = seated.table.id, seated.token or ""
            await engine.sit(table, SitDown("Ada", kind="computer", level="@ada"), token)
            await engine.start(table, token)
            async for event in engine.events(table, token, after=0):
                seen = event.table
                if seen.match.deal > 1 or seen.status == "over":
                    break
                if seen.moves:
                    await engine.play(table, token, seen.moves[0], version=seen.version)
            metrics = (await running.get("/metrics")).body.decode()
    finally:
        player.kill()
        await player.wait()
    assert 'locanda_thinking_seconds_count{level="own"}' in metrics
    assert "locanda_thinking_fallbacks_total{" not in metrics
