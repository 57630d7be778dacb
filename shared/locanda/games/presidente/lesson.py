"""The lesson of Presidente: pairs, a pass, a higher card, a revolution, and the inverted order."""

from locanda.games.base import N_, Pass
from locanda.games.lessons import Script, step
from locanda.games.presidente.types import Play

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
        step(
            Play(("9h", "9s")),
            N_(
                "The first to get rid of all cards becomes President. The Ace is lowest, the King highest. Lead a "
                "single card, several of a rank, or a run of one suit."
            ),
            (Play(("Tc", "Td")), Pass()),
        ),
        step(
            Pass(),
            N_("You have nothing high enough: pass. You may still come back in the same trick."),
            (Play(("5c",)), Play(("6d",))),
        ),
        step(
            Play(("Kd",)),
            N_(
                "It takes as many cards of the same kind, but higher. You may also pass, to keep good cards for later, "
                "and still come back in this trick."
            ),
            (Pass(), Pass()),
        ),
        step(
            Play(("4h", "4d", "4c", "4s")),
            N_(
                "All have passed: the cards are cleared away, and the last to play leads what they like. Four of a "
                "kind are a revolution: laid together, they turn the order round."
            ),
            (Pass(), Pass()),
        ),
        step(Play(("8d",)), N_("Now the lower card wins: lead the higher of your two."), (Pass(), Play(("3h",)))),
        step(Play(("Ac",)), N_("The Ace, the lowest card, now beats everything.")),
    ),
    end=N_("You are the first to get rid of your cards: you're President."),
)
