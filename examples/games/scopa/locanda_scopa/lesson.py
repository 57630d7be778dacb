"""The lesson of Scopa: taking one card, taking a sum, clearing the table, and the points."""

from locanda.games.base import N_
from locanda.games.lessons import Script, Step
from locanda.messages import JsonObject


def play(card: str, *takes: str) -> JsonObject:
    """Return the move that plays a card, and takes others with it."""
    return {"type": "play", "card": card} | ({"takes": list(takes)} if takes else {})


SCRIPT = Script(
    deal={
        "game": "scopa",
        "hands": [["7d", "Qh", "5c"], ["2s", "5s", "Kd"]],
        "table": ["4h", "3d", "7c"],
        "turn": 0,
        "dealer": 1,
    },
    steps=(
        Step(
            play("7d", "7c"),
            N_(
                "A card takes one of its value. The seven of coins, the settebello, is worth a point by itself: take "
                "with it."
            ),
            (play("2s"),),
        ),
        Step(
            play("Qh", "4h", "3d", "2s"),
            N_(
                "Where none has its value, a card takes cards that add up to it: the knight counts nine. Nothing is "
                "left: that is a scopa, worth a point."
            ),
            (play("5s"),),
        ),
        Step(play("5c", "5s"), N_("A card that can take must take, and once more the table is clear."), (play("Kd"),)),
    ),
    end=N_(
        "Who took last gets the rest. Most cards, most coins, the settebello and the best primiera are a point each, "
        "and so is each scopa: six for you."
    ),
)
