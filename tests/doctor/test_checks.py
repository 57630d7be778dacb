"""`make doctor`: its findings in healthy and in broken installations."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from aiohttp import web

from locanda import command
from services.doctor.__main__ import environment_of_make_run, findings
from services.doctor.checks import Finding
from services.doctor.settings import unknown_settings
from services.engine.settings import EngineSettings
from tests.e2e.processes import ROOT
from tests.emulator import Emulator
from tests.engine.http.engine_server import running_engine
from tests.redis_server import RedisServer, free_port, running_redis

COMMAND = "import sys; from locanda.command import main; sys.exit(main())"
KEPT = ("--appendonly", "yes", "--appendfsync", "always", "--maxmemory", "256mb", "--maxmemory-policy", "noeviction")


async def findings_with(**environment: str) -> list[Finding]:
    return [finding async for finding in findings(environment)]


def wrong(all_: list[Finding]) -> str:
    """Return the errors, with their remedies."""
    return "\n".join(str(finding) for finding in all_ if finding.level == "wrong")


def noted(all_: list[Finding]) -> str:
    return "\n".join(str(finding) for finding in all_ if finding.level == "note")


@pytest.fixture
async def kept_redis(tmp_path: Path) -> object:
    """A Redis with the options that `make run` and docker compose set."""
    running = running_redis(tmp_path, *KEPT)
    server = await asyncio.to_thread(running.__enter__)
    yield server
    await asyncio.to_thread(running.__exit__, None, None, None)


@pytest.mark.slow
async def test_nothing_is_wrong_with_an_installation_that_is_well(kept_redis: RedisServer) -> None:
    async with Emulator() as telegram:
        port = free_port()
        public = f"http://127.0.0.1:{port}"
        settings = EngineSettings(redis_url=kept_redis.url, public_url=public, engine_port=port)
        async with running_engine(settings) as engine, _proxy(port, engine.url("/").rstrip("/")):
            seen = await findings_with(
                REDIS_URL=kept_redis.url,
                ENGINE_URL=engine.url("/").rstrip("/"),
                PUBLIC_URL=public,
                TELEGRAM_TOKEN=telegram.token,
                TELEGRAM_API_URL=telegram.url,
            )
    assert wrong(seen) == ""
    assert "is not encrypted" in noted(seen)
    text = "\n".join(map(str, seen))
    assert f"{public} leads to the engine." in text
    assert "Telegram knows the bot: @locanda_bot." in text
    assert telegram.token not in text


class _proxy:  # noqa: N801 - used as a context manager alone
    """A proxy that refuses /metrics, like deploy/Caddyfile."""

    def __init__(self, port: int, engine: str) -> None:
        self._port = port
        self._engine = engine

    async def __aenter__(self) -> None:
        application = web.Application()
        application.router.add_get("/v1/server", self._pass)
        self._runner = web.AppRunner(application)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _pass(self, request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect(self._engine + request.path)


async def test_a_redis_that_loses_games_is_wrong_and_what_to_do_is_said(tmp_path: Path) -> None:
    careless = ("--appendonly", "no", "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
    running = running_redis(tmp_path, *careless)
    redis = await asyncio.to_thread(running.__enter__)
    try:
        seen = await findings_with(REDIS_URL=redis.url, ENGINE_REPLICAS="1", ENGINE_PORT="1")
    finally:
        await asyncio.to_thread(running.__exit__, None, None, None)
    assert "no append-only file" in wrong(seen)
    assert "appendonly yes" in wrong(seen)
    assert "maxmemory-policy allkeys-lru" in wrong(seen)
    assert "ENGINE_REPLICAS is 1" in wrong(seen)
    assert "No engine answers at http://127.0.0.1:1" in wrong(seen)


async def test_a_bot_without_a_key_that_the_engine_wants_is_wrong() -> None:
    key = "a-key-of-the-operator"
    async with running_engine(EngineSettings(engine_api_keys=key)) as engine:
        url = engine.url("/").rstrip("/")
        assert "It refuses to open tables with this key." in wrong(await findings_with(ENGINE_URL=url))
        assert "It lets nobody" not in wrong(await findings_with(ENGINE_URL=url, ENGINE_API_KEY=key))


@pytest.mark.slow
async def test_a_token_that_telegram_does_not_know_is_wrong_and_not_repeated() -> None:
    token = "7000000001:AAAnotherToken_0123456789abcdefghijkl"
    async with Emulator() as telegram:
        seen = await findings_with(TELEGRAM_TOKEN=token, TELEGRAM_API_URL=telegram.url)
    assert "Telegram does not know the token." in wrong(seen)
    assert token not in "\n".join(map(str, seen))


async def test_a_token_in_a_file_is_read_as_the_bot_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "token"
    async with Emulator() as telegram:
        await asyncio.to_thread(file.write_text, f"{telegram.token}\n")
        seen = await findings_with(TELEGRAM_TOKEN="", TELEGRAM_TOKEN_FILE=str(file), TELEGRAM_API_URL=telegram.url)
    assert "TELEGRAM_TOKEN is empty" not in noted(seen)
    assert "Telegram does not know the token" not in wrong(seen)


@pytest.mark.slow
async def test_a_webhook_that_telegram_does_not_have_is_wrong() -> None:
    async with Emulator() as telegram:
        seen = await findings_with(
            TELEGRAM_TOKEN=telegram.token,
            TELEGRAM_API_URL=telegram.url,
            TELEGRAM_WEBHOOK_URL="https://cards.example.org/telegram/webhook",
        )
    assert "Telegram has no webhook, or another one." in wrong(seen)


async def test_an_address_that_nobody_answers_at_is_wrong_and_a_missing_one_is_noted() -> None:
    assert "Nobody answers at http://127.0.0.1:1" in wrong(await findings_with(PUBLIC_URL="http://127.0.0.1:1"))
    assert "PUBLIC_URL is empty" in noted(await findings_with())


async def test_addresses_that_are_none_are_wrong() -> None:
    seen = wrong(await findings_with(ENGINE_URL="127.0.0.1:8080", PUBLIC_URL="https://cards.example.org/"))
    assert "ENGINE_URL must be an http or https URL." in seen
    assert "PUBLIC_URL must be an http or https URL without a slash at its end" in seen


@pytest.mark.slow
async def test_a_clock_that_is_wrong_is_noted_by_what_others_say(
    kept_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time
    monkeypatch.setattr("services.doctor.checks.time", SimpleNamespace(time=lambda: now() + 100))
    async with Emulator() as telegram, running_engine() as engine:
        seen = await findings_with(
            REDIS_URL=kept_redis.url,
            ENGINE_URL=engine.url("/").rstrip("/"),
            TELEGRAM_TOKEN=telegram.token,
            TELEGRAM_API_URL=telegram.url,
        )
    for clock in (
        "The clocks of Redis and of this machine",
        "Its clock and this machine's",
        "Telegram's clock and this",
    ):
        assert clock in noted(seen)


async def test_a_redis_that_does_not_answer_is_wrong_without_its_password() -> None:
    seen = await findings_with(REDIS_URL="redis://:secret@127.0.0.1:1/0")
    assert "Redis does not answer" in wrong(seen)
    assert "secret" not in "\n".join(map(str, seen))


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [("-m", "services.doctor"), ("-c", COMMAND, "doctor")],
)
def test_the_exit_code_says_whether_something_is_wrong(arguments: tuple[str, ...]) -> None:
    started = [sys.executable, *arguments]
    environment = {"PYTHONPATH": "shared", "REDIS_URL": "redis://127.0.0.1:1/0", "ENGINE_URL": "http://127.0.0.1:1"}
    ended = subprocess.run(started, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout.endswith("Something is wrong: see the lines that begin with that word.\n")


def test_it_looks_at_the_redis_of_make_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REDIS_URL", raising=False)
    (tmp_path / "var" / "redis").mkdir(parents=True)
    (tmp_path / "var" / "redis" / "url").write_text("redis://127.0.0.1:7/0")
    (tmp_path / ".env").write_text("ENGINE_API_KEYS=one-of-sixteen-characters, another\n")
    seen = environment_of_make_run()
    assert (seen["REDIS_URL"], seen["ENGINE_API_KEY"]) == ("redis://127.0.0.1:7/0", "one-of-sixteen-characters")


def test_a_misspelt_setting_in_env_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env.example").write_text((ROOT / ".env.example").read_text())
    (tmp_path / ".env").write_text("ENGINE_PROT=8081\nPUBLIC_URL=\n# TELEGRAM_TOKN=\n")
    assert [str(finding) for finding in unknown_settings({})] == [
        "note   ENGINE_PROT in .env is not a setting of Locanda.\n       → Did you mean ENGINE_PORT?"
    ]


def test_the_command_without_the_services_beside_it_says_where_its_doctor_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "DOCTOR", "nowhere.doctor")
    monkeypatch.setattr(sys, "argv", ["locanda", "doctor"])
    assert command.main() == 1
    assert "make doctor" in capsys.readouterr().err
