"""The list of games: packages in this folder, and games of other installed packages.

A game's modules are imported only when needed, so a client that uses only texts imports no rules. Only this module
knows where games are located.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, Union

from locanda import __version__, games
from locanda.games.base import SeatNumber
from locanda.games.installed import installed_games, said

T = TypeVar("T")

_OWN = {module.name: f"{games.__name__}.{module.name}" for module in iter_modules(games.__path__) if module.ispkg}


_INSTALLED = [*installed_games(_OWN)]

SOURCES = dict.fromkeys(_OWN, f"locanda {__version__}") | {
    package.name: package.source for package in _INSTALLED if not package.unfit
}
"""Distribution and version that each game comes from, by the game's name."""

LEFT_OUT = {f"{package.name} ({package.source})": package.unfit for package in _INSTALLED if package.unfit}
"""Reasons why installed games cannot be played, by game and distribution."""


def _types(package: str) -> ModuleType:
    return import_module(f"{package}.types")


_FOUND = _OWN | {package.name: package.package for package in _INSTALLED if not package.unfit}

PACKAGES = dict(sorted(_FOUND.items(), key=lambda entry: (entry[0] not in _OWN, _types(entry[1]).PLACE, entry[0])))
"""Package of each game by name, in the order of the catalogue."""

GAME_NAMES = tuple(PACKAGES)
"""Names of the games, in the order of the catalogue."""

WIRE_TYPES: dict[str, ModuleType] = {name: _types(package) for name, package in PACKAGES.items()}


_LOADED: list[dict[str, Any]] = [SOURCES, WIRE_TYPES]
"""The results of `of_each_game`. If a game is left out later, it is removed from all of them."""


def part(game: str, name: str) -> ModuleType:
    """Return a module of a game, such as its `texts`. Raises `KeyError` and `ModuleNotFoundError`."""
    return import_module(f"{PACKAGES[game]}.{name}")


def folder(game: str) -> Path:
    """Return the folder with a game's files."""
    return Path(next(iter(import_module(PACKAGES[game]).__path__)))


def fewest_wins(game: str) -> bool:
    """Return whether the fewest points win: `FEWEST_WINS` in the game's types."""
    return bool(getattr(WIRE_TYPES[game], "FEWEST_WINS", False))


def is_installed(game: str) -> bool:
    """Return whether a game comes from another package."""
    return game not in _OWN


def of_each_game(load: Callable[[str], T]) -> dict[str, T]:
    """Return `load(name)` for each game by name. Installed games for which it fails are left out everywhere.

    At the start, services load everything that they need from packages with this function. For games of this package,
    errors are raised.
    """
    loaded: dict[str, T] = {}
    _LOADED.append(loaded)
    for name in GAME_NAMES:
        if name not in SOURCES:
            continue
        try:
            loaded[name] = load(name)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) or not is_installed(name):
                raise
            LEFT_OUT[f"{name} ({SOURCES[name]})"] = said(error, PACKAGES[name])
            for games in _LOADED:
                games.pop(name, None)
    return loaded


def has_part(game: str, name: str) -> bool:
    """Return whether a game has a module of this name."""
    return find_spec(f"{PACKAGES[game]}.{name}") is not None


if TYPE_CHECKING:

    class AnyDeal(Protocol):
        """A deal of any game, with the fields that all games have; in JSON, `game` is the game's name."""

        @property
        def turn(self) -> SeatNumber | None: ...  # noqa: D102
        @property
        def hands(self) -> tuple[tuple[str, ...], ...]: ...  # noqa: D102

    class AnyView(Protocol):
        """A view of any game, with the fields that all games have; in JSON, `game` is the game's name."""

        @property
        def seat(self) -> SeatNumber | None: ...  # noqa: D102
        @property
        def turn(self) -> SeatNumber | None: ...  # noqa: D102
        @property
        def hand(self) -> tuple[str, ...] | None: ...  # noqa: D102
        @property
        def counts(self) -> tuple[int, ...]: ...  # noqa: D102

else:
    # At run time, msgspec decodes and describes the union of the games' own types.
    AnyDeal = Union[tuple(types.Deal for types in WIRE_TYPES.values())]  # noqa: UP007  (a union of variable length)
    AnyView = Union[tuple(types.View for types in WIRE_TYPES.values())]  # noqa: UP007  (a union of variable length)
