"""Imports between a game's modules: modules for display import no rules, and rules import no display."""

import ast
from pathlib import Path

import pytest

import locanda.games

GAMES = Path(locanda.games.__file__).parent
FILES = sorted(file for file in GAMES.glob("*/**/*.py") if file.stem != "__init__")
SHOWING = {"chat", "lesson", "terminal", "texts"}
OF_SHOWING = {"chat": {"texts", "types"}, "lesson": {"types"}, "terminal": {"texts", "types"}, "texts": {"types"}}


def imported(file: Path) -> list[str]:
    """Return the modules that a file imports, and the names that it imports from them."""
    imports = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)]
    return [f"{node.module}.{name.name}" for node in imports for name in node.names]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(GAMES)))
def test_a_file_of_a_game_imports_what_files_of_its_kind_may(file: Path) -> None:
    game, kind = file.relative_to(GAMES).with_suffix("").parts[:2]
    others = {folder.name for folder in GAMES.iterdir() if folder.is_dir()} - {game}
    for name in imported(file):
        parts = name.split(".")
        if parts[:2] == ["locanda", "games"]:
            assert parts[2] not in others, "no game imports another"
        if parts[:3] == ["locanda", "games", game]:
            assert (parts[3] in OF_SHOWING[kind]) if kind in SHOWING else (parts[3] not in SHOWING), name
