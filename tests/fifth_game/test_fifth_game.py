"""A fifth game is added to a copy of the project, following the list in CONTRIBUTING, and is played in every client.

The game's files are in `added/`, under the paths that the list names; `played.py` is run in the copy.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ADDED = Path(__file__).parent / "added"
GAME = "highest_card"


def _added() -> list[Path]:
    return [file.relative_to(ADDED) for file in ADDED.rglob("*") if file.is_file() and "__pycache__" not in file.parts]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project that contains the made-up game."""
    copied = tmp_path_factory.mktemp("locanda")
    for folder in ("services", "shared", "tests", "examples", "scripts"):
        shutil.copytree(ROOT / folder, copied / folder, ignore=shutil.ignore_patterns(ADDED.name))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, copied / name)
    for file in _added():
        assert not (copied / file).exists()
        (copied / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ADDED / file, copied / file)
    return copied


def test_every_file_of_the_game_is_in_the_list_of_contributing() -> None:
    listed = re.search(r"^## How to add a game\n(.*?)^## ", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.S | re.M)
    assert listed
    places = [place.replace("<game>", GAME) for place in re.findall(r"`([\w./<>]+)`", listed[1])]
    for file in _added():
        assert f"{file.parent}/" in places
        assert file.name in (*places, "__init__.py")


@pytest.mark.costly
def test_it_is_played_through_api_bot_and_terminal_and_keeps_the_laws_of_all_games(copy: Path) -> None:
    files = "tests/fifth_game/played.py", f"tests/games/{GAME}/subject.py"
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", *files, "-k", f"played or {GAME}"]
    environment = os.environ | {"PYTHONPATH": f"{copy}:{copy / 'shared'}"}
    ended = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    for file in files:
        assert re.search(rf"^{file}::.* PASSED", ended.stdout, re.MULTILINE), ended.stdout
