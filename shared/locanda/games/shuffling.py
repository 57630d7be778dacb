"""The shuffle of all deals, a pure function of the seed. docs/fairness.md describes it for verifiers."""

import hmac
import itertools
import struct
from collections.abc import Iterator, Sequence

BLOCK = struct.Struct(">8I")
LIMITS = [2**32 - 2**32 % number for number in range(1, 1001)]
"""Limits by number of choices: random words at or above the limit are skipped, to avoid modulo bias. A pack has at
most 1,000 cards."""


def shuffle(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
    """Return the cards in the order of shuffle number `index` of this seed.

    It is a Fisher-Yates shuffle with the words of HMAC-SHA-256(seed, index ‖ counter), without modulo bias.
    """
    shuffled = list(cards)
    words = _words(seed, index)
    for last in range(len(shuffled) - 1, 0, -1):
        limit = LIMITS[last]
        while (word := next(words)) >= limit:
            pass
        chosen = word % (last + 1)
        shuffled[last], shuffled[chosen] = shuffled[chosen], shuffled[last]
    return shuffled


def _words(seed: bytes, index: int) -> Iterator[int]:
    """Yield 32-bit words: block *c* is HMAC-SHA-256(seed, index ‖ c), with index and c as 4 bytes, big-endian."""
    for counter in itertools.count():
        yield from BLOCK.unpack(hmac.digest(seed, index.to_bytes(4) + counter.to_bytes(4), "sha256"))
