"""The lesson of Scopa: taking one card, taking a sum, clearing the table, and the points."""

from locanda.games.base import N_
from locanda.games.lessons import Script, step
from locanda_scopa.types import Play

SCRIPT = Script(
    deal={
        "game": "scopa",
        "hands": [["7d", "Qh", "5c"], ["2s", "5s", "Kd"]],
        "table": ["4h", "3d", "7c"],
        "turn": 0,
        "dealer": 1,
    },
    steps=(
        step(
            Play("7d", ("7c",)),
            N_(
                "A card takes one of its value. The seven of coins, the settebello, is worth a point by itself: take "
                "with it."
            ),
            (Play("2s"),),
        ),
        step(
            Play("Qh", ("4h", "3d", "2s")),
            N_(
                "Where none has its value, a card takes cards that add up to it: the knight counts nine. Nothing is "
                "left: that is a scopa, worth a point."
            ),
            (Play("5s"),),
        ),
        step(
            Play("5c", ("5s",)), N_("A card that can take must take, and once more the table is clear."), (Play("Kd"),)
        ),
    ),
    end=N_(
        "Who took last gets the rest. Most cards, most coins, the settebello and the best primiera are a point each, "
        "and so is each scopa: six for you."
    ),
)
