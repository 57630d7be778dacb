"""The pack: by rank and then by suit, so that a combination's cards stand next to each other in a bit set.

A card is ``rank * 4 + suit``, Ace low, hearts first; the joker comes after all of them.
"""

from collections.abc import Iterable

from shared.cards import RANKS, SUITS, mask, members, spelling

BITS = len(SUITS)
"""Cards of a rank: from one rank to the next it takes a shift by so many bits."""
JOKER = 52
CODES: tuple[str, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), "*")
CARDS: dict[str, int] = {code: card for card, code in enumerate(CODES)}

NATURAL = (1 << JOKER) - 1
"""Every card but the joker, as a bit set."""

EIGHT = RANKS.index("8")
WILD = len(RANKS)
"""The rank of a joker that is played alone: above all others."""


def pack(*, joker: bool) -> range:
    """Return the cards in play: 52, or 53 with the joker."""
    return range(JOKER + 1 if joker else JOKER)


codes = spelling((len(CODES) + 7) // 8, lambda cards: [CODES[card] for card in members(cards) if card < len(CODES)])
"""Returns the codes of a bit set of cards, by rank and suit, the joker last."""


def decoded(codes: Iterable[str]) -> int:
    """Return the bit set of these codes."""
    return mask(map(CARDS.__getitem__, codes))
