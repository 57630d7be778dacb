"""Commitments, seeds and shuffles, written from the description in docs/fairness.md."""

import hashlib
import hmac
import json
from collections.abc import Iterator

DOMAIN = b"locanda-shuffle-v1"


def commitment(table: str, match: int, server_seed: bytes) -> str:
    """Return SHA-256("locanda-shuffle-v1" ‖ table ‖ match in decimal digits ‖ server seed)."""
    return hashlib.sha256(DOMAIN + table.encode() + str(match).encode() + server_seed).hexdigest()


def deal_seed(server_seed: bytes, table: str, match: int, deal: int, client_seeds: list[str]) -> bytes:
    """Return HMAC-SHA-256(server seed, compact JSON of [table, match, deal, client seeds])."""
    text = json.dumps([table, match, deal, client_seeds], ensure_ascii=False, separators=(",", ":"))
    return hmac.digest(server_seed, text.encode(), "sha256")


def shuffled(seed: bytes, index: int, cards: list[str]) -> list[str]:
    """Return the cards shuffled: Fisher-Yates from the end, without modulo bias.

    Words at or above the largest multiple of the number of choices are skipped.
    """
    cards, numbers = list(cards), random_words(seed, index)
    for last in range(len(cards) - 1, 0, -1):
        limit = 2**32 - 2**32 % (last + 1)
        chosen = next(number for number in numbers if number < limit) % (last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def random_words(seed: bytes, index: int) -> Iterator[int]:
    """Yield 32-bit words: eight from each HMAC-SHA-256(seed, index ‖ counter), all of them big-endian."""
    counter = 0
    while True:
        block = hmac.digest(seed, index.to_bytes(4, "big") + counter.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1
