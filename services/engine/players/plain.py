"""The plain computer player: it takes one of the moves that a beginner would be most eager to make, at random."""

from random import Random

from msgspec import Struct

from services.engine.games.base import AnyGame


def choose(game: AnyGame, view: Struct, rng: Random) -> Struct:
    """Return a legal move for the seat whose view this is; cards that the view does not show are drawn at random."""
    moves: list[Struct] = game.moves(game.determinize(view, rng))
    most = max(map(game.eagerness, moves))
    return rng.choice([move for move in moves if game.eagerness(move) == most])
