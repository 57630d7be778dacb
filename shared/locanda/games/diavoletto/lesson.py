"""The lesson of Diavoletto: builds, the mazzetto, discards, columns and a joker."""

from locanda.games.base import N_
from locanda.games.diavoletto.types import Build, Discard
from locanda.games.lessons import Script, step

SCRIPT = Script(
    deal={
        "game": "diavoletto",
        "hands": [["Ah", "2c", "4d", "9s", "Kd"], []],
        "mazzetti": [["Qc", "7h", "3d"], ["Kh", "Tc", "6h"]],
        "stock": ["3c", "2s", "*", "8s", "Jh", "5d", "Jc", "Js", "Ts", "8c"],
        "turn": 0,
        "dealer": 1,
    },
    steps=(
        step(
            Build("hand", "Ah", None, None),
            N_(
                "The first player to empty their mazzetto wins. Its top card goes on the builds in the middle, which "
                "climb from the Ace to the King; suits do not matter. An Ace opens a build, and must be played."
            ),
        ),
        step(
            Build("hand", "2c", None, 0),
            N_("A card from your hand goes on a build. With an empty hand you draw five more, and go on."),
        ),
        step(
            Build("mazzetto", "3d", None, 0),
            N_("The top of your mazzetto goes on a build: those are the cards to get rid of!"),
        ),
        step(Build("hand", "4d", None, 0)),
        step(
            Discard("9s", 0),
            N_(
                "A discard on one of your four columns ends your turn. The top of each can be played later: put low "
                "cards on high ones."
            ),
            (Build("hand", "5d", None, 0), Build("mazzetto", "6h", None, 0), Discard("Ts", 0)),
        ),
        step(
            Build("mazzetto", "7h", None, 0),
            N_("Builds belong to both: {name} has played on it too. You have drawn up to five cards again."),
        ),
        step(Build("hand", "8s", None, 0)),
        step(Build("column", "9s", 0, 0), N_("Now the top of your column is the card that the build needs.")),
        step(
            Build("hand", "*", None, 0),
            N_("A joker goes on any build in place of the card that is needed; it opens none."),
        ),
        step(Build("hand", "Jh", None, 0)),
        step(Build("mazzetto", "Qc", None, 0), N_("One card is left in your mazzetto, and it goes.")),
    ),
    end=N_("Your mazzetto is empty: you have won the deal."),
)
