"""Codes and sentences for refusals (why a move is illegal) and for reasons (why a computer player chose a move).

Codes that several games share are declared here. A game declares its own codes in its `types`, where `REFUSALS` lists
the shared ones that it uses. Problem types, the OpenAPI document, the problem pages, clients and tests derive from
them.
"""

from types import ModuleType
from typing import Any

from msgspec import Struct


def N_(text: str) -> str:  # noqa: N802  (gettext's own name for a text that is translated later)
    """Mark a text for translation and return it unchanged."""
    return text


def NN_(singular: str, plural: str) -> tuple[str, str]:  # noqa: N802
    """Mark a text and its plural for translation and return them unchanged."""
    return singular, plural


# --- refusals


class Refusal(Struct, frozen=True):
    """Why a move is illegal: a stable code, and facts that explain it. Facts never reveal hidden cards."""

    code: str
    """The `code` of the API's error response."""
    facts: dict[str, Any] = {}
    """Values that explain the code, such as the card to beat."""


class RefusalCode(Struct, frozen=True):
    """A refusal's stable code with its texts: English msgids of gettext, marked with `N_`."""

    code: str
    title: str
    """The reason in a few words, without a full stop."""
    explanation: str
    """When the refusal occurs, and what its facts mean."""
    facts: dict[str, object] = {}
    """Example of the facts that come with the code; empty if there are none."""
    sentence: str = ""
    """Sentence for players, with facts in braces; empty if the game's `GameTexts` words it."""

    def refuse(self, facts: dict[str, object] | None = None) -> Refusal:
        """Return a refusal with this code and the facts as sent to clients. Facts must not name hidden cards."""
        return Refusal(self.code, facts or {})


INCOMPLETE = RefusalCode(
    "incomplete",
    N_("The selection is not a whole move yet"),
    N_(
        "The selection is right so far, but the move needs more. `facts` shows what would complete it: cards, "
        "combinations, columns or builds."
    ),
    {"cards": ["7s"], "combinations": [["7h", "7s"]]},
)
MUST_BEAT = RefusalCode(
    "must_beat",
    N_("The cards do not beat the top card"),
    N_("The card or combination is too low for `facts.top` in the current order."),
    {"card": "4h", "top": "7h"},
)
MUST_LEAD = RefusalCode(
    "must_lead",
    N_("The player who leads must play a card"),
    N_("The table is empty: the player who leads may not pass."),
)
NOT_A_COMBINATION = RefusalCode(
    "not_a_combination",
    N_("The cards are not a combination"),
    N_("The cards are neither a sequence nor another combination of the game."),
    {"cards": ["4h", "9s"]},
)
NOT_IN_HAND = RefusalCode(
    "not_in_hand",
    N_("The card is not in the hand"),
    N_("The player does not have the card, or the move names it twice. The refusal does not show who has it."),
    {"card": "7h"},
)
WRONG_LENGTH = RefusalCode(
    "wrong_length",
    N_("The combination has the wrong number of cards"),
    N_("It is longer or shorter than the one on top, or has more cards than the game allows at once."),
    {"length": 3, "needed": 4, "top": ["4h", "5h", "6h", "7h"]},
)
WRONG_PHASE = RefusalCode(
    "wrong_phase",
    N_("The move belongs to another phase of the turn"),
    N_(
        "A turn has phases: you draw before you lay and discard, and pay the tax before you play. `facts.phase` is "
        "the current phase."
    ),
    {"phase": "draw"},
)


def refusals_of(types: ModuleType) -> dict[str, RefusalCode]:
    """Return a game's refusal codes by code, except `deal_over` and `impossible`, which every game has."""
    own = [value for value in vars(types).values() if isinstance(value, RefusalCode)]
    return {refusal.code: refusal for refusal in sorted((*own, *types.REFUSALS), key=lambda refusal: refusal.code)}


# --- reasons of computer players


class Reason(Struct, frozen=True):
    """Why a computer player chose a move: a stable code and the facts of its sentence, all visible to the seat."""

    code: str
    facts: dict[str, object] = {}


class ReasonCode(Struct, frozen=True):
    """A reason's stable code with its sentence: an English msgid of gettext, marked with `N_`."""

    code: str
    sentence: str | tuple[str, str]
    """One sentence that explains the move, with placeholders such as `{card}`.

    A pair, marked with `NN_`, has the singular and the plural for the fact `count`. In the facts, a card is its code,
    cards are a list of codes, and everything else is a number.
    """
    facts: dict[str, object] = {}
    """Example of the facts; empty if the sentence has no placeholder."""

    def because(self, **facts: object) -> Reason:
        """Return the reason with its facts."""
        return Reason(self.code, facts)


ONLY_MOVE = ReasonCode("only_move", N_("It is the only legal move."))
BEST_IN_PLAY_OUTS = ReasonCode("best_in_play_outs", N_("It came out best of the moves that were tried out in thought."))
NONE_SURELY_BETTER = ReasonCode(
    "none_surely_better", N_("No other move that was tried out in thought came out surely better.")
)
BEST_ESTIMATE = ReasonCode("best_estimate", N_("It is worth most by what a player counts, without a search."))
BY_FEEL = ReasonCode("by_feel", N_("It is played by feel, without looking ahead."))

SHARED_REASONS = (ONLY_MOVE, BEST_IN_PLAY_OUTS, NONE_SURELY_BETTER, BEST_ESTIMATE, BY_FEEL)
"""Reasons that every game has."""
