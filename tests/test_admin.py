"""`locanda admin`: its commands and their output."""

import asyncio
import io
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from locanda import admin
from tests.engine.http.api.handlers.test_admin import ADMIN_KEY
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, captured_logs, running_engine, seat_players

SETTINGS = replace(NO_LIMITS, engine_admin_key=ADMIN_KEY)


@pytest.fixture
async def engine() -> AsyncIterator[RunningEngine]:
    with captured_logs():
        async with running_engine(SETTINGS) as running:
            yield running


class Typing:
    """An operator who types commands of `locanda admin`."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    async def types(self, *arguments: str, code: int = 0) -> str:
        """Run a command, and return its output."""
        assert await asyncio.to_thread(admin.main, arguments) == code
        return "".join(self._capsys.readouterr())


@pytest.fixture
def operator(engine: RunningEngine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typing:
    monkeypatch.setenv("LOCANDA_SERVER", engine.url("/"))
    monkeypatch.setenv("LOCANDA_ADMIN_KEY", ADMIN_KEY)
    return Typing(capsys)


async def test_tables_stand_in_columns_with_ages_and_people(engine: RunningEngine, operator: Typing) -> None:
    players = await seat_players(engine)
    await players.start()
    await seat_players(engine, 1, game="ramino")
    title, first, _ = (await operator.types("tables")).splitlines()
    assert title.split() == ["TABLE", "GAME", "STATUS", "OPENED", "CHANGED", "DEAL", "COMPUTERS", "PEOPLE"]
    assert re.fullmatch(
        rf"{players.table} +gatto_rosso +playing +\d+ s +\d+ s +1\.1 +0 +Anna, Ospite 1, Ospite 2", first
    )
    assert "ramino" not in await operator.types("tables", "--status", "playing")


async def test_a_table_is_closed_and_removed_by_its_id(engine: RunningEngine, operator: Typing) -> None:
    players = await seat_players(engine)
    assert await operator.types("close", players.table) == "Closed.\n"
    assert await operator.types("remove", players.table) == "Removed, with its deals.\n"
    assert "There is no such table" in await operator.types("close", "-" + "A" * 21, code=1)


async def test_maintenance_is_announced_and_taken_back(engine: RunningEngine, operator: Typing) -> None:
    said = await operator.types("maintenance", "--begins", "20", "--lasts", "30", "New disk.")
    assert said.startswith("Maintenance begins in 20 minutes")
    assert said.endswith("New disk.\n")
    assert await operator.types("maintenance", "--end") == "Nothing is announced any more.\n"


async def test_a_new_server_says_that_it_has_no_key_not_that_none_is_left(operator: Typing) -> None:
    assert await operator.types("keys") == "KEY  MADE  USED\nThere is no key: everybody may open tables.\n"


async def test_the_last_key_that_goes_is_said_to_open_the_server(operator: Typing) -> None:
    key, _ = (await operator.types("keys", "--add", "bot")).splitlines()
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", key)
    assert "everybody" not in await operator.types("keys")
    assert "everybody may open tables" in await operator.types("keys", "--remove", "bot")


async def test_bans_names_engines_numbers_and_acts_are_lists(operator: Typing) -> None:
    assert "203.0.113.0/24" in await operator.types(
        "bans", "--add", "203.0.113.0/24", "--reason", "floods", "--minutes", "5"
    )
    assert "203.0.113" not in await operator.types("bans", "--remove", "203.0.113.0/24")
    assert await operator.types("names", "--add", "admin*") == "admin*\n"
    assert await operator.types("names", "--remove", "admin*") == "\n"
    assert "serves" in await operator.types("engines")
    assert "MATCHES STARTED" in await operator.types("numbers")
    acts = (await operator.types("acts")).splitlines()
    assert [line.split()[2] for line in acts[1:]] == ["allow_name", "block_name", "lift_ban", "ban"]


async def test_own_players_are_added_from_a_line_that_no_history_keeps_and_listed_without_their_addresses(
    operator: Typing, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"ada=https://bots.example/move {secret}\n"))
    shown = await operator.types("players", "--add", "-")
    shown += await operator.types("players", "--add", "eva:ramino=https://bots.example/move")
    *_, ada, eva = shown.splitlines()
    assert re.fullmatch(r"ada +all +\d+ s +yes", ada)
    assert re.fullmatch(r"eva +ramino +\d+ s +no", eva)
    assert "bots.example" not in shown
    assert "eva" not in await operator.types("players", "--remove", "eva:ramino")
    wrong = await operator.types("players", "--add", "https://bots.example/move", code=1)
    assert wrong.startswith("An own player is written NAME=URL")


@pytest.mark.slow
async def test_what_is_wrong_is_one_sentence(
    engine: RunningEngine, operator: Typing, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "another name" not in await operator.types("bans", "--add", "nowhere", code=1)
    monkeypatch.setenv("LOCANDA_ADMIN_KEY", "w" * 16)
    assert await operator.types("tables", code=1) == "The call needs the operator's key.\n"
    monkeypatch.delenv("LOCANDA_ADMIN_KEY")
    assert (await operator.types("tables", code=1)).startswith("There is no key: set LOCANDA_ADMIN_KEY")
    monkeypatch.setenv("ENGINE_ADMIN_KEY", ADMIN_KEY)
    monkeypatch.setenv("LOCANDA_SERVER", "http://127.0.0.1:1")
    assert await operator.types("tables", code=1) == "Nobody answers at http://127.0.0.1:1.\n"


async def test_a_server_without_the_setting_is_named(operator: Typing) -> None:
    with captured_logs():
        async with running_engine(NO_LIMITS) as other:
            said = await operator.types("--server", other.url("/"), "tables", code=1)
    assert "ENGINE_ADMIN_KEY is not set" in said


def test_the_key_is_read_from_the_file_that_a_container_has(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(f"{ADMIN_KEY}\n")
    assert admin.admin_key({"ENGINE_ADMIN_KEY_FILE": str(file)}) == ADMIN_KEY


def test_it_is_a_part_of_the_command() -> None:
    command = [sys.executable, "-c", "from locanda.command import main; raise SystemExit(main())", "admin", "-h"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 0
    assert "usage: locanda admin" in ended.stdout
