"""The parts of a request whose shape depends on the game: its options and its moves."""

import msgspec
from msgspec import Raw, Struct

from services.engine.faults import FaultError, fault
from services.engine.games.game import AnyGame
from services.engine.games.registry import GAMES
from shared.messages import JsonObject


def read_game(name: str) -> AnyGame:
    """Return the game of a name that a body gives. Raises `FaultError`."""
    if name not in GAMES:
        raise FaultError("game", f"there is no game `{name}` here; there are {', '.join(GAMES)}")
    return GAMES[name]


def read_options(game: AnyGame, options: JsonObject) -> Struct:
    """Return a game's options. Raises `FaultError`, which names the option."""
    try:
        read: Struct = msgspec.convert(options, game.options)
    except msgspec.ValidationError as error:
        raise fault(error, "options") from None
    return read


def read_move(game: AnyGame, move: Raw) -> Struct:
    """Return a move of a game. Raises `FaultError`, which names the part of the move."""
    try:
        read: Struct = msgspec.json.decode(move, type=game.move_type)
    except msgspec.ValidationError as error:
        raise fault(error, "move") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FaultError("move", str(error)) from None
    return read
