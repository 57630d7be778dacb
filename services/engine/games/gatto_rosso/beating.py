"""Which card beats which: a higher one of the same suit, any one of the next suit, and the cats' exceptions."""

from functools import lru_cache

from shared.cards import CARDS, SUITS, mask, rank, suit
from shared.games.gatto_rosso import Options

ACES = mask(card for card in range(52) if rank(card) == 0)
RED_CATS = mask((CARDS["Jh"], CARDS["Jd"]))
GREY_CATS = mask((CARDS["Qc"], CARDS["Qs"]))
CATS = RED_CATS | GREY_CATS


@lru_cache(maxsize=64)
def beaters(options: Options) -> tuple[int, ...]:
    """Return for each top card the cards that beat it (rules 1.1, Beating and the variant Gatti)."""
    return tuple(_beaters(top, options) for top in range(52))


def _beaters(top: int, options: Options) -> int:
    ordinary = mask(card for card in range(52) if _beats(card, top, options.three_suits))
    if not options.cats:
        return ordinary
    for cats, others in ((RED_CATS, GREY_CATS), (GREY_CATS, RED_CATS)):
        if cats >> top & 1:
            return ACES | others
    own_suit = CATS & mask(card for card in range(52) if suit(card) == suit(top))
    return ordinary & ~CATS | own_suit if options.cats_strict else ordinary | own_suit


def _beats(card: int, top: int, three_suits: str | None) -> bool:
    if suit(card) == suit(top):
        return rank(card) > rank(top)
    return suit(card) == _next_suit(suit(top), three_suits)


def _next_suit(of: int, three_suits: str | None) -> int:
    following = (of + 1) % 4
    return (following + 1) % 4 if SUITS[following] == three_suits else following
