"""The one list of games, and the types of every game's deal and view on the wire.

A game's name is the name of its modules in every part: its types are `locanda.games.<name>`, its rules
`services.engine.games.<name>`, and so on. A new game is one line in `GAME_NAMES`.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, Union

from locanda.games.base import SeatNumber

GAME_NAMES = (
    "gatto_rosso",
    "ramino",
    "diavoletto",
    "presidente",
)
"""In the order of the catalogue."""

WIRE_TYPES: dict[str, ModuleType] = {name: import_module(f"locanda.games.{name}") for name in GAME_NAMES}
"""By name: the module of a game's types."""

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
