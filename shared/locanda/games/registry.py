"""Finds the games: each is a package in this folder. Its parts are modules in it, imported when they are asked for.

Nothing else knows where games are. A client that asks for texts imports no rules.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, Union

from locanda import games
from locanda.games.base import SeatNumber

_FOUND = {each.name: f"{games.__name__}.{each.name}" for each in iter_modules(games.__path__) if each.ispkg}


def _types(package: str) -> ModuleType:
    return import_module(f"{package}.types")


PACKAGES = dict(sorted(_FOUND.items(), key=lambda found: _types(found[1]).PLACE))
"""By the name of a game, in the order of the catalogue: its package."""

GAME_NAMES = tuple(PACKAGES)
"""In the order of the catalogue."""

WIRE_TYPES: dict[str, ModuleType] = {name: _types(package) for name, package in PACKAGES.items()}
"""By name: the module of a game's types."""


def part(game: str, name: str) -> ModuleType:
    """Return a module of a game, such as its `texts`. Raises `KeyError` or `ModuleNotFoundError`."""
    return import_module(f"{PACKAGES[game]}.{name}")


def folder(game: str) -> Path:
    """Return where the files of a game are that are not Python."""
    return Path(next(iter(import_module(PACKAGES[game]).__path__)))


def has_part(game: str, name: str) -> bool:
    """Return whether a game has a module of this name."""
    return find_spec(f"{PACKAGES[game]}.{name}") is not None


if TYPE_CHECKING:

    class AnyDeal(Protocol):
        """Any game's deal, by the fields that all games have; its JSON names the game in `game`."""

        @property
        def turn(self) -> SeatNumber | None: ...  # noqa: D102
        @property
        def hands(self) -> tuple[tuple[str, ...], ...]: ...  # noqa: D102

    class AnyView(Protocol):
        """Any game's view, by the fields that all games have; its JSON names the game in `game`."""

        @property
        def seat(self) -> SeatNumber | None: ...  # noqa: D102
        @property
        def turn(self) -> SeatNumber | None: ...  # noqa: D102
        @property
        def hand(self) -> tuple[str, ...] | None: ...  # noqa: D102
        @property
        def counts(self) -> tuple[int, ...]: ...  # noqa: D102

else:
    # For msgspec, which decodes and describes them, the union of the games' own types.
    AnyDeal = Union[tuple(types.Deal for types in WIRE_TYPES.values())]  # noqa: UP007  (of a tuple)
    AnyView = Union[tuple(types.View for types in WIRE_TYPES.values())]  # noqa: UP007  (of a tuple)
