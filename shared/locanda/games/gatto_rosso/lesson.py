"""The lesson of Gatto Rosso Gatto Grigio."""

from locanda.games.base import N_
from locanda.games.lessons import Course, Topic, always

TOPICS = (
    Topic(
        "aim",
        N_(
            "Whoever takes most cards wins. One leads a card, the others beat it in turn: the last to do so takes them "
            "all. Lead whichever card you like."
        ),
        always,
    ),
    Topic(
        "pass",
        N_("You can beat nothing: you pass, for this turn only. Whoever can beat has to."),
        lambda at: at.can(type="pass"),
    ),
    Topic(
        "beat",
        N_(
            "A card is beaten by a higher one of its suit, or by any of the suit that follows: ♥ ♦ ♣ ♠, and ♥ again. "
            "The cards that can do it are blue."
        ),
        lambda at: bool(at.view.table) and bool(at.moves),
    ),
    Topic(
        "trick",
        N_("All others have passed: the last to beat takes the trick and leads, once everybody has four cards again."),
        lambda at: at.saw("trick_taken"),
    ),
    Topic(
        "stock",
        N_("The stock is finished: the first to play their last card ends the deal. Cards in hand count for nobody."),
        lambda at: not at.view.stock_count,
    ),
)

COURSE = Course(2, TOPICS)
