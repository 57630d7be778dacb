"""The lesson of Tressette: which card takes which, following suit, thirds, and the last trick."""

from locanda.games.base import N_
from locanda.games.lessons import Script, step
from locanda_tressette.types import Play

SCRIPT = Script(
    deal={
        "game": "tressette",
        "hands": [["3d", "6h", "Ah", "Ks"], ["2d", "Qh", "4h", "Js"]],
        "turn": 0,
        "dealer": 1,
    },
    steps=(
        step(
            Play("3d"),
            N_("In each suit the three takes all others, then come two, Ace, king, knight and knave. Lead the three."),
            (Play("2d"),),
        ),
        step(
            Play("6h"),
            N_(
                "There are no trumps, and who has a card of the suit must play one. The Ace counts a whole point: keep "
                "it until {name} has played the knight."
            ),
            (Play("Qh"), Play("4h")),
        ),
        step(Play("Ah"), N_("You must follow suit, too: the Ace takes the four.")),
        step(
            Play("Ks"),
            N_("The last trick counts a point more: with the king you take it."),
            (Play("Js"),),
        ),
    ),
    end=N_(
        "Seven thirds are two points, and one for the last trick: three for you. The third of {name} makes no whole "
        "point, and is lost."
    ),
)
