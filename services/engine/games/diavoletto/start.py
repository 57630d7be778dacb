"""How a deal starts: two packs, two mazzetti, and who goes first (rules 3.1, rulings D4 and D19)."""

from services.engine.games.diavoletto.cards import JOKER, PACK, rank
from services.engine.games.diavoletto.state import COLUMNS, Deal
from services.engine.games.diavoletto.stock import draw
from services.engine.games.game import Ranking, Shuffle
from shared.games.diavoletto import Options

SECOND_PACK = PACK + bytes((JOKER, JOKER))


def deal(
    options: Options, _players: int, dealer: int, seed: bytes, shuffle: Shuffle, _previous: Ranking | None
) -> Deal:
    """Deal: shuffle 0 is the pack of the mazzetti, shuffle 1 the stock, further ones break a tie at the start."""
    size, pack = options.mazzetto_size, bytes(shuffle(seed, 0, PACK))
    stock = bytes(shuffle(seed, 1, SECOND_PACK + pack[2 * size :]))
    mazzetti, starter, shuffles = _open((pack[:size], pack[size : 2 * size]), options, seed, shuffle)
    dealt = Deal(
        options=options,
        dealer=dealer,
        turn=starter,
        seed=seed,
        shuffles=shuffles,
        hands=(b"", b""),
        mazzetti=mazzetti,
        columns=((b"",) * COLUMNS, (b"",) * COLUMNS),
        builds=(),
        aside=b"",
        stock=stock,
        stalled=0,
        barren=0,
        moved=False,
        advanced=False,
        refills=0,
        redeals=0,
    )
    return draw(dealt, starter, [], shuffle)


def _open(
    mazzetti: tuple[bytes, bytes], options: Options, seed: bytes, shuffle: Shuffle
) -> tuple[tuple[bytes, bytes], int, int]:
    """Return the mazzetti, who starts and how many shuffles that took: the higher top card, after a tie a new one."""
    shuffles = 2
    while (first := starter(*mazzetti)) is None:
        if options.start_tie == "random":
            return mazzetti, shuffle(seed, shuffles, (0, 1))[0], shuffles + 1
        mazzetti = (bytes(shuffle(seed, shuffles, mazzetti[0])), bytes(shuffle(seed, shuffles + 1, mazzetti[1])))
        shuffles += 2
    return mazzetti, first, shuffles


def starter(first: bytes, second: bytes) -> int | None:
    """Return whose mazzetto shows the higher card, Ace low, or none when they show the same rank."""
    ours, theirs = rank(first[-1]), rank(second[-1])
    return None if ours == theirs else int(theirs > ours)
