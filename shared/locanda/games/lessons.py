"""Lessons: a game's module `lesson` defines a `SCRIPT`, the moves of a stacked deal with explanations.

The engine plays the script and sends clients each position. The learner makes the scripted moves, and the other
players' moves follow automatically. If the learner makes a different move, clients show why it is refused, or that it
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
"""The seat of the learner."""


class Step(Struct, frozen=True):
    """A move of the learner, with the text shown before it and the others' moves after it."""

    move: JsonObject
    text: str = ""
    """A msgid; empty if there is nothing new to explain."""
    others: tuple[JsonObject, ...] = ()


def step(move: Struct, text: str = "", others: tuple[Struct, ...] = ()) -> Step:
    """Create a step from moves of the game's move types."""
    return Step(msgspec.to_builtins(move), text, tuple(map(msgspec.to_builtins, others)))


class Script(Struct, frozen=True):
    """The lesson of a game: a deal in wire form, and the learner's moves to its end."""

    deal: JsonObject
    steps: tuple[Step, ...]
    end: str
    """A msgid: the text shown at the end of the deal."""


@cache
def scripts() -> dict[str, Script]:
    """Return the scripts of all games that have a lesson, by name."""
    return {name: script for name, script in of_each_game(script_of).items() if script is not None}


def script_of(game: str) -> Script | None:
    """Return a game's script; None without a lesson. Raises `UnfitGameError` or an import error for a broken lesson."""
    if not has_part(game, "lesson"):
        return None
    script = getattr(part(game, "lesson"), "SCRIPT", None)
    if not isinstance(script, Script):
        raise UnfitGameError("its module lesson has no SCRIPT")
    return script


def is_same_move(first: JsonObject, second: JsonObject, game: str) -> bool:
    """Return whether two moves are equal, ignoring the order of their cards."""
    return _canonical(first, game) == _canonical(second, game)


def _canonical(move: JsonObject, game: str) -> JsonObject:
    fields: dict[str, Any] = msgspec.to_builtins(msgspec.convert(move, WIRE_TYPES[game].Move))
    return {name: sorted(value) if isinstance(value, list | tuple) else value for name, value in fields.items()}
