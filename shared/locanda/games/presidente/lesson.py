"""The lesson of Presidente."""

from collections import Counter

from locanda.games.base import N_
from locanda.games.lessons import Course, Topic, always

TOPICS = (
    Topic(
        "aim",
        N_(
            "The first to get rid of all cards becomes President. The Ace is lowest, the King highest. Lead a single "
            "card, several of a rank, or a run of one suit."
        ),
        always,
    ),
    Topic(
        "pass",
        N_("Nothing of yours is high enough: pass. In the same trick you may still come back."),
        lambda at: [*at.moves] == [{"type": "pass"}],
    ),
    Topic(
        "beat",
        N_(
            "It takes as many cards of the same kind, but higher. You may also pass, to keep good cards for later, and "
            "still come back in this trick."
        ),
        lambda at: at.can(type="pass"),
    ),
    Topic(
        "revolution",
        N_("Four of a kind are a revolution: laid together, they turn the order round, and the lower card wins."),
        lambda at: at.saw("revolution") or 4 in Counter(card[:-1] for card in at.view.hand).values(),
    ),
    Topic(
        "trick",
        N_("All have passed: the cards are cleared away, and the last to play leads what they like."),
        lambda at: at.saw("trick_won"),
    ),
)

FOUR_OF_A_KIND = "ab61f51bcbbf9615851b96c2b0027483295d048d6ef2b7837d6a7759273682b0"
"""A seed with which the person is dealt four of a kind, and however they play, the lesson mostly tells all."""

COURSE = Course(3, TOPICS, {"leftovers": "hidden"}, FOUR_OF_A_KIND)
