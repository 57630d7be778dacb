"""The choices of the players that do not search: the beginner, and the experienced one who counts cards."""

from collections.abc import Sequence
from random import Random

from locanda.games.base import Pass
from locanda.games.presidente import Event, Give, Move, Play, View
from services.engine.games.presidente.moves import PASS
from services.engine.games.presidente.state import BITS, CARDS, codes
from services.engine.players.base import Situation
from services.engine.players.presidente.candidates import favourite, gift_of
from services.engine.players.presidente.combos import BY_MOVE
from services.engine.players.presidente.knowledge import Knowledge, knowledge_of
from services.engine.players.presidente.planning import HIGHEST

SHYNESS = 0.4
"""How often a beginner passes although they could answer."""
LOW = 2
"""A beginner takes any combination whose rank is at most so far from the lowest that can be played."""


def medium(situation: Situation[View, Event], moves: Sequence[Move], rng: Random) -> Move:  # noqa: ARG001
    """Follow a plan of the hand, and count what can still beat it."""
    known = knowledge_of(situation.view)
    if known.view.dues:
        return Give(codes(gift_of(known)))
    chosen = favourite(known)
    return PASS if chosen is None else chosen.move


def easy(situation: Situation[View, Event], moves: Sequence[Move], rng: Random) -> Move:
    """Go out where that is possible; else play something low, or pass. A beginner has no plan and counts nothing."""
    known = knowledge_of(situation.view)
    heights = {move: _height(known, move) for move in moves if not isinstance(move, Pass)}
    for move in heights:
        if isinstance(move, Play) and len(move.cards) == known.hand.bit_count():
            return move
    if not heights or (known.top is not None and rng.random() < SHYNESS):
        return PASS
    lowest = min(heights.values())
    return rng.choice([move for move, height in heights.items() if height <= lowest + LOW])


def _height(known: Knowledge, move: Play | Give) -> int:
    """Return how high a combination, or the highest card of a gift, is; the joker is highest."""
    if isinstance(move, Give):
        return max(CARDS[code] // BITS for code in move.cards)
    combo = BY_MOVE[move]
    if combo.has_joker:
        return 2 * HIGHEST
    return HIGHEST - combo.rank if known.inverted else combo.rank
