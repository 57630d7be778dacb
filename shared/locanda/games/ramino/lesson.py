"""The lesson of Ramino: a run, the figures, both ways to draw, attaching, closing and counting."""

from locanda.games.base import N_
from locanda.games.lessons import Script, Step
from locanda.messages import JsonObject


def draw(source: str) -> JsonObject:
    """Return the draw from the stock or the discards."""
    return {"type": "draw", "from": source}


def meld(*cards: str) -> JsonObject:
    """Return the move that lays a combination."""
    return {"type": "meld", "cards": list(cards)}


def attach(card: str, number: int) -> JsonObject:
    """Return the move that attaches a card to a combination on the table."""
    return {"type": "attach", "card": card, "meld": number}


def discard(card: str) -> JsonObject:
    """Return the discard of a card."""
    return {"type": "discard", "card": card}


SCRIPT = Script(
    deal={
        "game": "ramino",
        "hands": [["MASCHERONE", "I", "V", "VI", "X"], ["MATTO", "LEONE", "VIII", "II", "NULLA"]],
        "stock": ["III", "VIIII", "XV", "VII"],
        "discards": ["XI"],
        "turn": 0,
        "dealer": 1,
    },
    steps=(
        Step(
            draw("stock"),
            N_(
                "Get rid of your cards by laying combinations: what you are left with counts against you. Each turn "
                "begins with a draw, from the stock or the top of the discards."
            ),
        ),
        Step(meld("V", "VI", "VII"), N_("Three or more numbers in a row are a combination: lay it.")),
        Step(
            discard("X"),
            N_(
                "A discard ends your turn: tap the card that you need least. Keep numbers that are near each other, "
                "and figures; high cards cost most in the end."
            ),
            (draw("stock"), meld("MATTO", "LEONE", "XV"), discard("VIII")),
        ),
        Step(
            draw("discards"),
            N_(
                "Three or four different figures are a combination too. The figures are 🃏 Fool, 🦁 Lion, 👹 Mask, "
                "🪣 Pail, ⭕ Nothing, and the numbers from XI to XV. Take the VIII: it follows V, VI, VII."
            ),
        ),
        Step(
            attach("VIII", 0),
            N_("A card may go on a combination that lies on the table: all four then leave for the discards."),
        ),
        Step(attach("MASCHERONE", 0), N_("A figure that is not there yet goes on the three figures.")),
        Step(discard("I"), N_("Whoever gets rid of the last card closes, and the deal is over.")),
    ),
    end=N_(
        "You have closed: nothing counts against you. {name} counts 2 for the II and 10 for Nothing, a figure without "
        "a number. At the target of the match, the fewest points win."
    ),
)
