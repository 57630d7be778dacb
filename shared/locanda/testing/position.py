"""A worked position: a deal, moves, and the expected outcome, in the API's JSON form."""

from typing import Any, TypeAlias

from msgspec import Struct

from locanda.games.rules import GAMES
from locanda.messages import JsonObject

Entry: TypeAlias = dict[str, Any]
"""An entry of a file of positions, in the game's short notation."""


class Expectation(Struct, frozen=True):
    """The expected state after the position's moves; missing values are not checked."""

    moves: list[JsonObject] | None = None
    """All legal moves, in any order."""
    refused: list[tuple[JsonObject, str]] = []
    """Illegal moves, each with the code of its refusal."""
    deal: JsonObject = {}
    """Some fields of the deal."""
    view: JsonObject = {}
    """Some fields of a spectator's view."""
    over: bool | None = None
    """Whether the last move ended the deal."""
    winners: list[int] | None = None
    """The seats that share first place."""
    result: JsonObject = {}
    """Some fields of the result."""


class WorkedPosition(Struct, frozen=True):
    """A deal (either complete, or dealt fresh), the moves to play in it, and the expected outcome."""

    id: str
    game: str
    expect: Expectation
    deal: JsonObject = {}
    fresh: JsonObject | None = None
    """The body of the request for a fresh deal; None if `deal` has the complete deal."""
    moves: list[JsonObject] = []


def options_in(entry: Entry, game: str) -> JsonObject:
    """Return the options of a game that occur in an entry."""
    return {name: read(entry[name]) for name in GAMES[game].options.__struct_fields__ if name in entry}


def read(value: Any) -> Any:
    """Convert texts such as `7`, `true` and `null` to numbers, booleans and None, also within lists."""
    if isinstance(value, list):
        return [read(one) for one in value]
    words = {"true": True, "false": False, "null": None}
    return words[value] if value in words else int(value) if value.isdigit() else value
