"""A worked position as the wire shows it."""

from typing import Any, TypeAlias

from msgspec import Struct

from locanda.games.rules import GAMES
from locanda.messages import JsonObject

Entry: TypeAlias = dict[str, Any]
"""An entry of a file of positions, in the short notation of its game."""


class Expectation(Struct, frozen=True):
    """Expectations after the position's moves; missing ones are not checked."""

    moves: list[JsonObject] | None = None
    """Every legal move, in any order."""
    refused: list[tuple[JsonObject, str]] = []
    """Moves, each with the code of its refusal."""
    deal: JsonObject = {}
    """Fields of the deal."""
    view: JsonObject = {}
    """Fields of a spectator's view."""
    over: bool | None = None
    """Whether the last of the moves ended the deal."""
    winners: list[int] | None = None
    """The seats that share the first place."""
    result: JsonObject = {}
    """Fields of the result."""


class WorkedPosition(Struct, frozen=True):
    """A deal, or the start of a fresh one, the moves to play in it, and the expectation."""

    id: str
    game: str
    expect: Expectation
    deal: JsonObject = {}
    fresh: JsonObject | None = None
    """The body of the call that deals, where the position is a fresh deal."""
    moves: list[JsonObject] = []


def options_in(entry: Entry, game: str) -> JsonObject:
    """Return the options of a game that an entry names."""
    return {name: read(entry[name]) for name in GAMES[game].options.__struct_fields__ if name in entry}


def read(value: Any) -> Any:
    """Return a text, or the texts of a list, with numbers, booleans and null for those that spell one."""
    if isinstance(value, list):
        return [read(one) for one in value]
    words = {"true": True, "false": False, "null": None}
    return words[value] if value in words else int(value) if value.isdigit() else value
