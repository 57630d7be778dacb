"""The plain computer player: any legal move, chosen from nothing but the view of its seat."""

from random import Random

from msgspec import Struct

from services.engine.games.game import AnyGame


def choose(game: AnyGame, view: Struct, rng: Random) -> Struct:
    """Return a legal move for the seat whose view this is; what it cannot see, it imagines."""
    move: Struct = rng.choice(game.moves(game.imagine(view, rng)))
    return move
