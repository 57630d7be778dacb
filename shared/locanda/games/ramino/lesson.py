"""The lesson of Ramino."""

from locanda.games.base import N_
from locanda.games.lessons import Course, Topic, always

TOPICS = (
    Topic(
        "aim",
        N_(
            "Get rid of your cards by laying combinations: what you are left with counts against you. Each turn begins "
            "with a draw, from the stock or the top of the discards."
        ),
        always,
    ),
    Topic(
        "meld",
        N_("You hold a combination: its button lays it. That is three or more numbers in a row, or different figures."),
        lambda at: at.can(type="meld"),
    ),
    Topic(
        "attach",
        N_("A card may go on a combination that lies on the table: all four then leave for the discards."),
        lambda at: at.can(type="attach"),
    ),
    Topic(
        "discard",
        N_(
            "A discard ends your turn: tap the card that you need least. Keep numbers that are near each other, and "
            "figures; high cards cost most in the end."
        ),
        lambda at: at.can(type="discard"),
    ),
)

COURSE = Course(2, TOPICS)
