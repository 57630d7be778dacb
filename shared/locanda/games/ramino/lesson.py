"""The lesson of Ramino: runs, figures, both ways to draw, attaching, closing and counting."""

from locanda.games.base import N_
from locanda.games.lessons import Script, step
from locanda.games.ramino.types import Attach, Discard, Draw, Meld

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
        step(
            Draw("stock"),
            N_(
                "Get rid of your cards by laying combinations: what you are left with counts against you. Each turn "
                "begins with a draw, from the stock or the top of the discards."
            ),
        ),
        step(Meld(("V", "VI", "VII")), N_("Three or more numbers in a row are a combination: lay it.")),
        step(
            Discard("X"),
            N_(
                "A discard ends your turn: tap the card that you need least. Keep numbers that are near each other, "
                "and figures; high cards cost most in the end."
            ),
            (Draw("stock"), Meld(("MATTO", "LEONE", "XV")), Discard("VIII")),
        ),
        step(
            Draw("discards"),
            N_(
                "Three or four different figures are a combination too. The figures are 🃏 Fool, 🦁 Lion, 👹 Mask, "
                "🪣 Pail, ⭕ Nothing, and the numbers from XI to XV. Take the VIII: it follows V, VI, VII."
            ),
        ),
        step(
            Attach("VIII", 0),
            N_("A card may go on a combination that lies on the table: all four then leave for the discards."),
        ),
        step(Attach("MASCHERONE", 0), N_("A figure that is not there yet goes on the three figures.")),
        step(Discard("I"), N_("When a player gets rid of their last card, they close and the deal is over.")),
    ),
    end=N_(
        "You have closed: nothing counts against you. {name} counts 2 for the II and 10 for Nothing, a figure without "
        "a number. At the target of the match, the fewest points win."
    ),
)
