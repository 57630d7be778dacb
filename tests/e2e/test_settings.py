"""Invalid settings end the start of either service, or of both together, with one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

from services.common.settings import SettingsError
from services.engine import process as engine
from services.telegram import __main__ as bot
from services.telegram.repositories.connection import connect
from tests import forked
from tests.e2e.processes import ForkedService
from tests.redis_server import free_port

ROOT = Path(__file__).parents[2]

NOWHERE = [
    "redis://localhost:door/0",
    "redis://localhost/0?door=1",
    "redis+cluster://:7000",
    "redis+cluster://localhost:door",
    "redis+sentinel://x",
    "redis+sentinel://:26379/games",
]


@pytest.mark.parametrize("module", ["services", "services.telegram"])  # the module `services` runs the engine
def test_a_url_of_redis_that_names_nothing_ends_the_start_with_one_sentence(module: str) -> None:
    environment = {
        "REDIS_URL": "redis://user:secret@localhost:door/0",
        "ENGINE_PORT": str(free_port()),
        "TELEGRAM_TOKEN": "123456:ABC-DEF",
        "TELEGRAM_API_URL": "http://127.0.0.1:1",
        "LOG_LEVEL": "error",
    }
    command = [sys.executable, "-m", module]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("REDIS_URL is not a URL of Redis")
    assert len(ended.stderr.splitlines()) == 1
    assert "secret" not in ended.stderr + ended.stdout


def engine_of_an_image(arguments: list[str]) -> int:
    """Run the engine without fakeredis, as in the images."""
    sys.modules["fakeredis"] = None  # type: ignore[assignment]
    return engine.main(arguments)


def bot_of_an_image(_: list[str]) -> int:
    """Run the bot without fakeredis, as in the images."""
    sys.modules["fakeredis"] = None  # type: ignore[assignment]
    return bot.main()


@pytest.mark.parametrize("main", [engine_of_an_image, bot_of_an_image])
async def test_without_redis_and_what_takes_its_place_the_start_ends_with_one_sentence(
    main: forked.Main, tmp_path: Path
) -> None:
    environment = {
        "ENGINE_PORT": str(free_port()),
        "TELEGRAM_TOKEN": "123456:ABC-DEF",
        "TELEGRAM_API_URL": "http://127.0.0.1:1",
        "LOG_LEVEL": "error",
    }
    service = ForkedService(main, tmp_path / "log", **environment)
    assert await service.ended() == 2
    assert await service.log() == (
        "REDIS_URL is missing, and there is no Redis inside this process (the package fakeredis).\n"
    )


@pytest.mark.parametrize("url", NOWHERE)
def test_the_bot_refuses_a_url_of_redis_that_names_nothing(url: str) -> None:
    with pytest.raises(SettingsError, match="REDIS_URL is not a URL of Redis"):
        connect(url)
