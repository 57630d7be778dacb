"""The module `lesson` of each game defines a `SCRIPT`: the moves of a stacked deal with a sentence for each idea.

The engine plays it, and gives clients every moment of its deal: the person makes each move that the script has for
them, and the others' moves follow by themselves. Another move is answered as in a match: why it is refused, or that it
is legal.
"""

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from locanda.games.base import JsonObject
from locanda.games.installed import UnfitGameError
from locanda.games.registry import WIRE_TYPES, has_part, of_each_game, part

YOU = 0
"""The seat of the person who learns."""


class Step(Struct, frozen=True):
    """A move of the person, what is explained before it, and the moves of the others after it."""

    move: JsonObject
    text: str = ""
    """A msgid; empty if there is nothing new to explain."""
    others: tuple[JsonObject, ...] = ()


def step(move: Struct, text: str = "", others: tuple[Struct, ...] = ()) -> Step:
    """Return a step from moves of the game's types."""
    return Step(msgspec.to_builtins(move), text, tuple(map(msgspec.to_builtins, others)))


class Script(Struct, frozen=True):
    """The lesson of a game: a deal on the wire, and the person's moves to its end."""

    deal: JsonObject
    steps: tuple[Step, ...]
    end: str
    """A msgid: the text about the end of the deal."""


@cache
def scripts() -> dict[str, Script]:
    """Return the scripts of the games that have one."""
    return {name: script for name, script in of_each_game(script_of).items() if script is not None}


def script_of(game: str) -> Script | None:
    """Return the script of a game; None if it has none. Raises the exceptions of a broken one."""
    if not has_part(game, "lesson"):
        return None
    script = getattr(part(game, "lesson"), "SCRIPT", None)
    if not isinstance(script, Script):
        raise UnfitGameError("its module lesson has no SCRIPT")
    return script


def is_same_move(first: JsonObject, second: JsonObject, game: str) -> bool:
    """Return whether two moves are the same, ignoring the order of their cards."""
    return _canonical(first, game) == _canonical(second, game)


def _canonical(move: JsonObject, game: str) -> JsonObject:
    fields: dict[str, Any] = msgspec.to_builtins(msgspec.convert(move, WIRE_TYPES[game].Move))
    return {name: sorted(value) if isinstance(value, list | tuple) else value for name, value in fields.items()}
