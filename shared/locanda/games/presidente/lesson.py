"""The lesson of Presidente: pairs, a pass, a higher card, a revolution, and the order upside down."""

from locanda.games.base import N_
from locanda.games.lessons import Script, Step
from locanda.messages import JsonObject

PASS: JsonObject = {"type": "pass"}


def play(*cards: str) -> JsonObject:
    """Return the move that plays cards together."""
    return {"type": "play", "cards": list(cards)}


SCRIPT = Script(
    deal={
        "game": "presidente",
        "hands": [
            ["4h", "4d", "4c", "4s", "9h", "9s", "Kd", "8d", "Ac"],
            ["5c", "Tc", "Td", "Jh"],
            ["6d", "Qs", "Kc", "3h"],
        ],
        "turn": 0,
        "dealer": 2,
        "options": {"leftovers": "hidden"},
    },
    steps=(
        Step(
            play("9h", "9s"),
            N_(
                "The first to get rid of all cards becomes President. The Ace is lowest, the King highest. Lead a "
                "single card, several of a rank, or a run of one suit."
            ),
            (play("Tc", "Td"), PASS),
        ),
        Step(
            PASS,
            N_("Nothing of yours is high enough: pass. In the same trick you may still come back."),
            (play("5c"), play("6d")),
        ),
        Step(
            play("Kd"),
            N_(
                "It takes as many cards of the same kind, but higher. You may also pass, to keep good cards for later, "
                "and still come back in this trick."
            ),
            (PASS, PASS),
        ),
        Step(
            play("4h", "4d", "4c", "4s"),
            N_(
                "All have passed: the cards are cleared away, and the last to play leads what they like. Four of a "
                "kind are a revolution: laid together, they turn the order round."
            ),
            (PASS, PASS),
        ),
        Step(play("8d"), N_("Now the lower card wins: lead the higher of your two."), (PASS, play("3h"))),
        Step(play("Ac"), N_("The Ace, the lowest card, now beats everything.")),
    ),
    end=N_("You are rid of all cards first: you are President."),
)
