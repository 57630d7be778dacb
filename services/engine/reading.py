"""The parts of a request whose shape depends on the game: its options and its moves.

What is right in another game is told apart from what is right in none.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from services.engine.faults import FaultError, ImpossibleError, fault
from services.engine.games.game import AnyGame
from services.engine.games.registry import GAMES
from shared.messages import JsonObject


@cache
def _move_decoder(game: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(GAMES[game].move_type)


def read_game(name: str) -> AnyGame:
    """Return the game of a name that a body gives. Raises `FaultError`."""
    if name not in GAMES:
        raise FaultError("game", f"there is no game `{name}` here; there are {', '.join(GAMES)}")
    return GAMES[name]


def read_options(game: AnyGame, options: JsonObject) -> Struct:
    """Return a game's options. Raises `FaultError`, which names the option, `ImpossibleError` for another game's."""
    try:
        read: Struct = msgspec.convert(options, game.options)
    except msgspec.ValidationError as error:
        found = fault(error, "options")
        raise _told(found, lambda other: msgspec.convert(options, other.options)) from None
    return read


def read_move(game: AnyGame, move: Raw) -> Struct:
    """Return a move of a game. Raises `FaultError`, which names its part, `ImpossibleError` for another game's."""
    try:
        read: Struct = _move_decoder(game.name).decode(move)
    except msgspec.ValidationError as error:
        found = fault(error, "move")
        raise _told(found, lambda other: msgspec.json.decode(move, type=other.move_type)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FaultError("move", str(error)) from None
    return read


def _told(found: FaultError, read: Callable[[AnyGame], object]) -> FaultError:
    """Return a fault, as an impossible wish where some game would take what this one does not."""
    for other in GAMES.values():
        try:
            read(other)
        except msgspec.ValidationError:
            continue
        return ImpossibleError(found.field, f"in this game: {found.detail}")
    return found
