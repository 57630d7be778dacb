"""Clients generated from the OpenAPI document play a match of each game.

Linters find no error in the document, and type checkers find none in the examples.
"""

import asyncio
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from locanda.games.registry import GAME_NAMES
from tests.e2e.processes import ROOT
from tests.programs import program

pytestmark = pytest.mark.long

DOCUMENT = ROOT / "services/engine/openapi.json"
PROGRAMS = ROOT / "tests/e2e/generated"
PACKAGES = ROOT / "node_modules"


@pytest.fixture(scope="module")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the generated package `locanda_client`."""
    folder = tmp_path_factory.mktemp("python")
    tools = Path(sys.executable).parent
    command = [str(tools / "openapi-python-client"), "generate", "--path", str(DOCUMENT), "--meta", "none"]
    path = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    done = subprocess.run(
        [*command, "--output-path", str(folder / "locanda_client"), "--fail-on-warning"],
        env=path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def packages() -> Path:
    """The folder with the installed packages of package.json."""
    program("npm")
    subprocess.run(["sh", "scripts/lint-web", "install"], cwd=ROOT, check=True)
    return PACKAGES


@pytest.fixture(scope="module")
def javascript_program(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled JavaScript program, after the check against the generated types."""
    folder = tmp_path_factory.mktemp("javascript")
    file = folder / "play.mjs"
    shutil.copy(PROGRAMS / "play.mjs", file)
    generate = [str(packages / ".bin/openapi-typescript"), str(DOCUMENT), "--output", str(folder / "api.d.ts")]
    subprocess.run(generate, check=True, capture_output=True)
    options = ["--allowJs", "--checkJs", "--strict", "--noEmit", "--module", "nodenext", "--target", "es2024"]
    options += ["--typeRoots", str(packages / "@types"), "--skipLibCheck"]
    checked = subprocess.run(
        [str(packages / ".bin/tsc"), *options, str(file)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
    return file


async def moves_of(*command: str, **environment: str) -> list[dict[str, object]]:
    """Run a program, and return the moves that it has printed. Its last line must be `over`."""
    process = await asyncio.create_subprocess_exec(
        *command, env=os.environ | environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    output, errors = await asyncio.wait_for(process.communicate(), 240)
    *moves, end = output.decode().splitlines() or [""]
    assert (process.returncode, end) == (0, "over"), errors.decode()[-2000:]
    return [json.loads(move) for move in moves]


def _discards_to_columns(game: str, moves: list[dict[str, object]]) -> bool:
    """Whether Diavoletto's discards name their columns.

    The column would be missing if a move was decoded as another game's.
    """
    discards = [move for move in moves if move["type"] == "discard"]
    return game != "diavoletto" or (bool(discards) and all("column" in move for move in discards))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", GAME_NAMES)
async def test_the_client_of_openapi_python_client_plays(engine_url: str, python_client: Path, game: str) -> None:
    moves = await moves_of(sys.executable, str(PROGRAMS / "play.py"), engine_url, game, PYTHONPATH=str(python_client))
    assert _discards_to_columns(game, moves)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", GAME_NAMES)
async def test_a_program_with_the_types_of_openapi_typescript_plays(
    engine_url: str, javascript_program: Path, game: str
) -> None:
    moves = await moves_of(program("node"), str(javascript_program), engine_url, game)
    assert _discards_to_columns(game, moves)


@pytest.fixture(scope="module")
def linters() -> Path:
    """The folder with the linters' installed programs."""
    folder = PROGRAMS.parent / "linters"
    installed, wanted = folder / "node_modules/.package-lock.json", folder / "package-lock.json"
    with wanted.open() as lock:  # parallel test processes share the folder
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not installed.exists() or installed.stat().st_mtime < wanted.stat().st_mtime:
            subprocess.run([program("npm"), "ci", "--silent"], cwd=folder, check=True)
            installed.touch()
    return folder / "node_modules/.bin"


RULES = {
    # the rule is off because health checks refuse nobody
    "redocly": 'extends: ["recommended"]\nrules: {operation-4xx-response: off}\n',
    "spectral": 'extends: ["spectral:oas"]\n',
}
ARGUMENTS = {"redocly": ("--config",), "spectral": ("--fail-severity=warn", "--ruleset")}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("linter", RULES)
def test_linters_find_no_error_in_the_document_and_warn_of_nothing(linters: Path, linter: str, tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(RULES[linter])
    quiet = os.environ | {"REDOCLY_TELEMETRY": "off", "CI": "true"}
    done = subprocess.run(
        [str(linters / linter), "lint", *ARGUMENTS[linter], str(rules), str(DOCUMENT)],
        cwd=tmp_path,
        env=quiet,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not re.search(r"You have \d+ warning", done.stdout + done.stderr)


@pytest.mark.timeout(300)
def test_pyright_finds_no_error_in_the_examples_and_refuses_what_is_misspelt(linters: Path) -> None:
    """Pyright reports ignore comments on lines without an error."""
    command = [str(linters / "pyright"), "--project", str(linters.parents[1]), "--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "0 errors, 0 warnings" in done.stdout, done.stdout


def test_typescript_finds_no_error_in_the_examples(packages: Path) -> None:
    command = [str(packages / ".bin/tsc"), "--project", str(ROOT / "examples")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
