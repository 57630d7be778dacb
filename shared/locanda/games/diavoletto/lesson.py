"""The lesson of Diavoletto."""

from locanda.games.base import N_
from locanda.games.lessons import Course, Topic, always

TOPICS = (
    Topic(
        "aim",
        N_(
            "Whoever first empties their mazzetto wins. Its top card goes on the builds in the middle, which climb "
            "from the Ace to the King; suits do not matter."
        ),
        always,
    ),
    Topic(
        "ace",
        N_("An Ace opens a build, and has to be played before your turn ends."),
        lambda at: at.can(type="build", build=None),
    ),
    Topic(
        "mazzetto",
        N_("The top of your mazzetto goes on a build: those are the cards to get rid of!"),
        lambda at: at.can(type="build", **{"from": "mazzetto"}),
    ),
    Topic(
        "build",
        N_("A card from your hand goes on a build. With an empty hand you draw five more, and go on."),
        lambda at: at.can(type="build", **{"from": "hand"}),
    ),
    Topic(
        "discard",
        N_(
            "A discard on one of your four columns ends your turn. The top of each can be played later: put a lower "
            "card on a higher one, so that nothing useful is buried."
        ),
        lambda at: at.can(type="discard"),
    ),
)

COURSE = Course(2, TOPICS, {"mazzetto_size": 13})
