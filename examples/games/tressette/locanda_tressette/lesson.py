"""The lesson of Tressette: which card takes which, following suit, thirds, and the last trick."""

from locanda.games.base import N_
from locanda.games.lessons import Script, Step
from locanda.messages import JsonObject


def play(card: str) -> JsonObject:
    """Return the move that plays a card."""
    return {"type": "play", "card": card}


SCRIPT = Script(
    deal={
        "game": "tressette",
        "hands": [["3d", "6h", "Ah", "Ks"], ["2d", "Qh", "4h", "Js"]],
        "turn": 0,
        "dealer": 1,
    },
    steps=(
        Step(
            play("3d"),
            N_("In each suit the three takes all others, then come two, Ace, king, knight and knave. Lead the three."),
            (play("2d"),),
        ),
        Step(
            play("6h"),
            N_(
                "There are no trumps, and who has a card of the suit must play one. The Ace counts a whole point: keep "
                "it until {name} has played the knight."
            ),
            (play("Qh"), play("4h")),
        ),
        Step(play("Ah"), N_("You must follow suit, too: the Ace takes the four.")),
        Step(
            play("Ks"),
            N_("The last trick counts a point more: with the king you take it."),
            (play("Js"),),
        ),
    ),
    end=N_(
        "Seven thirds are two points, and one for the last trick: three for you. The third of {name} makes no whole "
        "point, and is lost."
    ),
)
