"""Reasons of computer players: why a move is worth playing. The declaration of a reason, and those that games share.

A reason that belongs to one game is declared in `locanda.games.<game>`, whose `REASONS` lists every one of the game.
"""

from msgspec import Struct

from locanda.games.base import N_


class Reason(Struct, frozen=True):
    """Why a move was chosen: a stable code, and the facts of its sentence, all of which the seat may see."""

    code: str
    facts: dict[str, object] = {}


class ReasonCode(Struct, frozen=True):
    """A stable code with its sentence, a msgid of gettext (English) marked with `N_`."""

    code: str
    sentence: str
    """One line that ends the thought "play this, since …" as a sentence of its own, with placeholders such as `{card}`.

    In the facts, a card is its code, cards are a list of codes, and everything else is a number.
    """
    facts: dict[str, object] = {}
    """An example of the facts; empty where the sentence has no placeholder."""

    def because(self, **facts: object) -> Reason:
        """Return the reason with its facts."""
        return Reason(self.code, facts)


ONLY_MOVE = ReasonCode("only_move", N_("It is the only legal move."))
BEST_IN_PLAY_OUTS = ReasonCode("best_in_play_outs", N_("It won most often when the deal was played on in thought."))

SHARED_REASONS = (ONLY_MOVE, BEST_IN_PLAY_OUTS)
"""The reasons of every game."""
