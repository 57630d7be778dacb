"""The plain computer player: what any beginner would do, chosen from nothing but the view of its seat."""

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct

from services.engine.games.game import AnyGame
from shared.games import diavoletto, ramino


def _lays(move: ramino.Move) -> bool:
    return isinstance(move, ramino.Meld | ramino.Attach)


def _builds(move: diavoletto.Move) -> int:
    """Rank the mazzetto, which has to be emptied, above other builds, and those above ending the turn."""
    return 0 if not isinstance(move, diavoletto.Build) else 2 if move.source == "mazzetto" else 1


EAGERNESS: dict[str, Callable[[Any], int]] = {ramino.NAME: _lays, diavoletto.NAME: _builds}
"""By game: how much the player is after a move. In the other games any move is as good as another."""


def choose(game: AnyGame, view: Struct, rng: Random) -> Struct:
    """Return a legal move for the seat whose view this is; what it cannot see, it imagines."""
    moves: list[Struct] = game.moves(game.imagine(view, rng))
    eagerness = EAGERNESS.get(game.name, lambda _: 0)
    most = max(map(eagerness, moves))
    return rng.choice([move for move in moves if eagerness(move) == most])
