"""Provable shuffles by commit and reveal: fixed before the players add their seeds, and anyone can recompute them.

The server seeds of a table's matches come from one secret root; the commitment to a seed is published when its match
opens. A deal's seed mixes the server seed with the seats' client seeds, and shuffle *k* of a deal is a Fisher-Yates
shuffle over HMAC-SHA-256(deal seed, k ‖ counter), without modulo bias.
"""

import hashlib
import hmac
import itertools
import json
import struct
from collections.abc import Iterator, Sequence

DOMAIN = b"locanda-shuffle-v1"
BLOCK = struct.Struct(">8I")


def server_seed(root: bytes, match: int) -> bytes:
    """Return the server seed of a table's match, 32 bytes; one match's seed reveals nothing of another's."""
    return hmac.digest(root, b"%s match %d" % (DOMAIN, match), "sha256")


def commitment(table: str, match: int, seed: bytes) -> str:
    """Return SHA-256("locanda-shuffle-v1" ‖ table ‖ match ‖ server seed), hexadecimal; the match in decimal digits."""
    return hashlib.sha256(DOMAIN + table.encode() + str(match).encode() + seed).hexdigest()


def deal_seed(seed: bytes, table: str, match: int, deal: int, client_seeds: Sequence[str]) -> bytes:
    """Return HMAC-SHA-256(server seed, [table, match, deal, client seeds] as JSON in the form of RFC 8785)."""
    message = json.dumps([table, match, deal, list(client_seeds)], ensure_ascii=False, separators=(",", ":"))
    return hmac.digest(seed, message.encode(), "sha256")


def shuffle(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
    """Return the cards in the order of the seed's shuffle number `index`."""
    shuffled = list(cards)
    words = _words(seed, index)
    for last in range(len(shuffled) - 1, 0, -1):
        limit = 2**32 - 2**32 % (last + 1)  # larger words would favour small numbers
        while (word := next(words)) >= limit:
            pass
        chosen = word % (last + 1)
        shuffled[last], shuffled[chosen] = shuffled[chosen], shuffled[last]
    return shuffled


def _words(seed: bytes, index: int) -> Iterator[int]:
    """Yield 32-bit words: block *c* is HMAC-SHA-256(seed, index ‖ c), both as 4 bytes, big-endian."""
    for counter in itertools.count():
        yield from BLOCK.unpack(hmac.digest(seed, index.to_bytes(4) + counter.to_bytes(4), "sha256"))
