"""No file of the product outside a game's folder names the game."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from locanda.games.registry import GAME_NAMES, folder, is_installed

ROOT = Path(__file__).parents[2]
PRODUCT = ("services", "shared", "scripts", "deploy", "pyproject.toml", "mkdocs.yml", "docker-compose.yml")
OF_ALL_GAMES = ("openapi.json", "openapi-admin.json", "api.d.ts", "literals.py")
"""Files generated from all games, which may name them: the OpenAPI document, its types, the literal types."""
WRITTEN = {".py", ".js", ".po", ".ts", ".css", ".html", ".json", ".lua", ".sh", ".toml", ".yml", ""}


def _files() -> Iterator[Path]:
    for name in PRODUCT:
        place = ROOT / name
        yield from (path for path in (place.rglob("*") if place.is_dir() else [place]) if path.suffix in WRITTEN)


@pytest.mark.parametrize("game", [game for game in GAME_NAMES if not is_installed(game)])
def test_no_file_outside_a_games_folder_names_it(game: str) -> None:
    name = re.compile(r"[\W_]*".join(game.split("_")), re.IGNORECASE)
    named = [
        str(path.relative_to(ROOT))
        for path in _files()
        if path.is_file()
        and path.name not in OF_ALL_GAMES
        and not path.is_relative_to(folder(game))
        and name.search(path.read_text("utf-8", "replace"))
    ]
    assert not named
