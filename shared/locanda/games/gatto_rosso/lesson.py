"""The lesson of Gatto Rosso Gatto Grigio: two tricks, a pass, and the end of the stock."""

from locanda.games.base import N_, Pass
from locanda.games.gatto_rosso.types import Play
from locanda.games.lessons import Script, step

SCRIPT = Script(
    deal={
        "game": "gatto_rosso",
        "hands": [["5h", "3d", "Kc", "4s"], ["7h", "2c", "Jd", "Ah"]],
        "stock": ["5c", "6s", "3s", "Jc", "2s"],
        "turn": 0,
        "dealer": 1,
    },
    steps=(
        step(
            Play("5h"),
            N_(
                "The player who takes most cards wins. One player leads a card and the others beat it in turn; the "
                "last one to beat it takes them all."
            ),
            (Play("7h"),),
        ),
        step(
            Play("3d"),
            N_(
                "A card is beaten by a higher one of its suit, or by any of the suit that follows: ♥ ♦ ♣ ♠, and ♥ "
                "again. The cards that can do it are blue."
            ),
            (Play("Jd"),),
        ),
        step(Play("Kc"), N_("On the J♦ go the Q♦, the K♦, and every club."), (Pass(),)),
        step(
            Play("4s"),
            N_(
                "All others have passed: the last to beat takes the trick and leads, once everybody has four cards "
                "again."
            ),
            (Play("Ah"),),
        ),
        step(
            Pass(),
            N_("You cannot beat the card, so you pass, for this turn only. If you can beat, you must."),
            (Play("2c"),),
        ),
        step(
            Play("Jc"),
            N_(
                "The stock is finished: the first to play their last card ends the deal. Cards in hand count for "
                "nobody."
            ),
            (Play("3s"),),
        ),
        step(Play("6s"), others=(Pass(),)),
        step(Play("2s"), N_("Your last card ends the deal, and takes what lies on the table.")),
    ),
    end=N_("Ten cards for you, two for {name}: the most cards win."),
)
