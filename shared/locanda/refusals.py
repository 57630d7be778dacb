"""Refusal codes: why the rules of a game forbid a move. The declaration of a code, and the codes that games share.

A code that belongs to one game is declared in `locanda.games.<game>`, whose `REFUSALS` lists every code of the game.
Problem types, the OpenAPI document, the problem pages and the tests derive from these declarations.
"""

from msgspec import Struct

from locanda.games.base import N_, Refusal


class RefusalCode(Struct, frozen=True):
    """A stable code with its texts, which are msgids of gettext (English) marked with `N_`."""

    code: str
    title: str
    """What is wrong with the move, in a few words and without a full stop."""
    explanation: str
    """When the refusal comes, and which of its facts explain it."""
    facts: dict[str, object] = {}
    """An example of the facts that come with the code; empty where none do."""

    def refuse(self, facts: dict[str, object] | None = None) -> Refusal:
        """Return a refusal with this code, as it appears on the wire. The facts name no hidden card."""
        return Refusal(self.code, facts or {})


INCOMPLETE = RefusalCode(
    "incomplete",
    N_("The selection is not a whole move yet"),
    N_(
        "Nothing is wrong with what was chosen so far, but more belongs to the move. `facts` shows what would complete "
        "it: cards, combinations, columns or builds."
    ),
    {"cards": ["7s"], "combinations": [["7h", "7s"]]},
)
MUST_BEAT = RefusalCode(
    "must_beat",
    N_("What is played does not beat what lies on top"),
    N_("The card or the combination is too low for `facts.top`, by the order that holds now."),
    {"card": "4h", "top": "7h"},
)
MUST_LEAD = RefusalCode(
    "must_lead",
    N_("The player who leads must play a card"),
    N_("Nothing lies on the table: the player who leads may not pass."),
)
NOT_A_COMBINATION = RefusalCode(
    "not_a_combination",
    N_("The cards are not a combination"),
    N_("The cards are neither in sequence nor a combination of another kind that the game has."),
    {"cards": ["4h", "9s"]},
)
NOT_IN_HAND = RefusalCode(
    "not_in_hand",
    N_("The card is not in the hand"),
    N_(
        "The move names a card that the player does not hold, or the same one twice. The refusal does not show who "
        "holds it."
    ),
    {"card": "7h"},
)
WRONG_LENGTH = RefusalCode(
    "wrong_length",
    N_("The combination has a wrong number of cards"),
    N_("It is longer or shorter than the one on top, or holds more cards than the game allows at once."),
    {"length": 3, "needed": 4, "top": ["4h", "5h", "6h", "7h"]},
)
WRONG_PHASE = RefusalCode(
    "wrong_phase",
    N_("The move belongs to another phase of the turn"),
    N_(
        "Ramino: one draws first, then lays and discards. Presidente: the tax comes before the play. `facts.phase` is "
        "the phase now."
    ),
    {"phase": "draw"},
)
