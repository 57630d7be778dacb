"""The lesson of Gatto Rosso Gatto Grigio: two tricks, a pass, and the end of the stock."""

from locanda.games.base import N_
from locanda.games.lessons import Script, Step
from locanda.messages import JsonObject

PASS: JsonObject = {"type": "pass"}


def play(card: str) -> JsonObject:
    """Return the move that plays a card."""
    return {"type": "play", "card": card}


SCRIPT = Script(
    deal={
        "game": "gatto_rosso",
        "hands": [["5h", "3d", "Kc", "4s"], ["7h", "2c", "Jd", "Ah"]],
        "stock": ["5c", "6s", "3s", "Jc", "2s"],
        "turn": 0,
        "dealer": 1,
    },
    steps=(
        Step(
            play("5h"),
            N_(
                "Whoever takes most cards wins. One leads a card, the others beat it in turn: the last to do so takes "
                "them all."
            ),
            (play("7h"),),
        ),
        Step(
            play("3d"),
            N_(
                "A card is beaten by a higher one of its suit, or by any of the suit that follows: ♥ ♦ ♣ ♠, and ♥ "
                "again. The cards that can do it are blue."
            ),
            (play("Jd"),),
        ),
        Step(play("Kc"), N_("On the J♦ go the Q♦, the K♦, and every club."), (PASS,)),
        Step(
            play("4s"),
            N_(
                "All others have passed: the last to beat takes the trick and leads, once everybody has four cards "
                "again."
            ),
            (play("Ah"),),
        ),
        Step(
            PASS,
            N_("You can beat nothing: you pass, for this turn only. Whoever can beat has to."),
            (play("2c"),),
        ),
        Step(
            play("Jc"),
            N_(
                "The stock is finished: the first to play their last card ends the deal. Cards in hand count for "
                "nobody."
            ),
            (play("3s"),),
        ),
        Step(play("6s"), others=(PASS,)),
        Step(play("2s"), N_("Your last card ends the deal, and takes what lies on the table.")),
    ),
    end=N_("Ten cards for you, two for {name}: the most cards win."),
)
