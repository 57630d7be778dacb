"""The lesson of Briscola: suits and trumps, the end of the stock, and the count."""

from locanda.games.base import N_
from locanda.games.lessons import Script, step
from locanda_briscola.types import Play

SCRIPT = Script(
    deal={
        "game": "briscola",
        "hands": [["7d", "Ad", "2s"], ["Kd", "4h", "3c"]],
        "stock": ["6c", "Kh", "Jd"],
        "trump": ["5s"],
        "turn": 0,
        "dealer": 1,
    },
    steps=(
        step(
            Play("7d"),
            N_(
                "In each suit the Ace takes all others, then come three, king, knight and knave. Lead a card that "
                "counts nothing."
            ),
            (Play("Kd"), Play("3c")),
        ),
        step(
            Play("2s"),
            N_(
                "The card that lies open says which suit is trumps: swords. Nobody has to follow suit, and the lowest "
                "trump takes the three, which counts ten points."
            ),
        ),
        step(
            Play("6c"),
            N_("Who takes a trick draws first. {name} got the last card, the trump that lay open: draw it out."),
            (Play("5s"), Play("4h")),
        ),
        step(Play("Kh"), N_("With the highest card of the suit led you take the trick: the king counts four.")),
        step(Play("Ad"), N_("No trump is left: now the Ace is safe. It counts eleven."), (Play("Jd"),)),
    ),
    end=N_("27 points for you, 4 for {name}. In a whole deal there are 120: more than 60 win."),
)
