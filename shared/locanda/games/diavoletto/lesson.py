"""The lesson of Diavoletto: builds, the mazzetto, a discard, the top of a column, and a joker."""

from locanda.games.base import N_
from locanda.games.lessons import Script, Step
from locanda.messages import JsonObject


def build(source: str, card: str, number: int | None = 0, column: int | None = None) -> JsonObject:
    """Return the move that plays a card to a build; None is a new one."""
    return {"type": "build", "from": source, "card": card, "build": number} | (
        {} if column is None else {"column": column}
    )


def discard(card: str, column: int) -> JsonObject:
    """Return the discard of a card."""
    return {"type": "discard", "card": card, "column": column}


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
        Step(
            build("hand", "Ah", None),
            N_(
                "Whoever first empties their mazzetto wins. Its top card goes on the builds in the middle, which climb "
                "from the Ace to the King; suits do not matter. An Ace opens a build, and has to be played."
            ),
        ),
        Step(
            build("hand", "2c"),
            N_("A card from your hand goes on a build. With an empty hand you draw five more, and go on."),
        ),
        Step(
            build("mazzetto", "3d"),
            N_("The top of your mazzetto goes on a build: those are the cards to get rid of!"),
        ),
        Step(build("hand", "4d")),
        Step(
            discard("9s", 0),
            N_(
                "A discard on one of your four columns ends your turn. The top of each can be played later: put low "
                "cards on high ones."
            ),
            (build("hand", "5d"), build("mazzetto", "6h"), discard("Ts", 0)),
        ),
        Step(
            build("mazzetto", "7h"),
            N_("Builds belong to both: {name} has played on it too. You have drawn up to five cards again."),
        ),
        Step(build("hand", "8s")),
        Step(build("column", "9s", 0, 0), N_("Now the top of your column is the card that the build needs.")),
        Step(
            build("hand", "*"),
            N_("A joker goes on any build in place of the card that is needed; it opens none."),
        ),
        Step(build("hand", "Jh")),
        Step(build("mazzetto", "Qc"), N_("One card is left in your mazzetto, and it goes.")),
    ),
    end=N_("Your mazzetto is empty: you have won the deal."),
)
