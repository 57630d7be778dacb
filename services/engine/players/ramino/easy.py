"""How a beginner plays: they lay what they see, throw the dearest card away, and overlook a good deal."""

from collections.abc import Sequence
from random import Random

from locanda.cuccu import CARDS, DESIGNS
from locanda.games.ramino import Attach, Discard, Event, Meld, Move, View
from services.engine.players.base import Situation

OVERLOOKED = 0.6
"""How often a beginner does not see that cards could go down."""


def easy(_situation: Situation[View, Event], moves: Sequence[Move], rng: Random) -> Move:
    """Return the choice of a beginner."""
    laid = [move for move in moves if isinstance(move, Meld)]
    attached = [move for move in moves if isinstance(move, Attach)]
    if laid and rng.random() >= OVERLOOKED:
        return max(laid, key=lambda meld: len(meld.cards))
    if attached and rng.random() >= OVERLOOKED:
        return rng.choice(attached)
    thrown = [move for move in moves if isinstance(move, Discard)]
    if thrown:
        return max(thrown, key=lambda move: DESIGNS[CARDS[move.card]].points)
    return rng.choice(moves)
