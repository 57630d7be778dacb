"""Checks the proof of a finished deal: was it really dealt from the seed that the table had committed to?

Stand-alone: it needs nothing but Python, and shares no code with the engine. Download a proof from
`GET /v1/tables/{table}/deals/{n}` and run `make verify PROOF=proof.json`, or this file with the proof's path
(`-` for standard input). It prints what it recomputed and exits 0 only if everything agrees.

What a valid proof says: the shuffle was fixed before the players gave their seeds, and nobody alone chose it.
What it does not say: that the house did not look at the cards.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

DOMAIN = b"locanda-shuffle-v1"


def commitment(table: str, match: int, server_seed: bytes) -> str:
    """SHA-256("locanda-shuffle-v1" ‖ table ‖ match in decimal digits ‖ server seed)."""
    return hashlib.sha256(DOMAIN + table.encode() + str(match).encode() + server_seed).hexdigest()


def deal_seed(server_seed: bytes, table: str, match: int, deal: int, client_seeds: list[str]) -> bytes:
    """HMAC-SHA-256(server seed, compact JSON of [table, match, deal, client seeds])."""
    text = json.dumps([table, match, deal, client_seeds], ensure_ascii=False, separators=(",", ":"))
    return hmac.digest(server_seed, text.encode(), "sha256")


def shuffled(seed: bytes, index: int, cards: list[str]) -> list[str]:
    """Fisher-Yates from the end, each draw a 32-bit word below the largest multiple of the bound."""
    cards, numbers = list(cards), words(seed, index)
    for last in range(len(cards) - 1, 0, -1):
        limit = 2**32 - 2**32 % (last + 1)
        chosen = next(number for number in numbers if number < limit) % (last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def words(seed: bytes, index: int) -> Iterator[int]:
    """Eight big-endian words from each HMAC-SHA-256(seed, index ‖ counter), both as 4 bytes."""
    counter = 0
    while True:
        block = hmac.digest(seed, index.to_bytes(4, "big") + counter.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


def gatto_rosso(seed: bytes, start: dict[str, Any]) -> dict[str, Any]:
    """Four cards each, one at a time from the seat after the dealer; the top of the stock is dealt next."""
    removed = start["options"].get("three_suits")
    pack = [rank + suit for suit in "hdcs" if suit != removed for rank in "A234567JQK"]
    stock, seats = shuffled(seed, 0, pack), len(start["hands"])
    hands: list[list[str]] = [[] for _ in range(seats)]
    for number in range(4 * seats):
        hands[(start["dealer"] + 1 + number) % seats].append(stock.pop())
    return {"hands": [sorted(hand, key=pack.index) for hand in hands], "stock": stock}


DEALS: dict[str, Callable[[bytes, dict[str, Any]], dict[str, Any]]] = {"gatto_rosso": gatto_rosso}


def faults(proof: dict[str, Any]) -> Iterator[str]:
    """Yield what does not agree in a proof."""
    server_seed = bytes.fromhex(proof["server_seed"])
    if commitment(proof["table"], proof["match"], server_seed) != proof["commitment"]:
        yield "the server seed is not the one that was committed to"
    seed = deal_seed(server_seed, proof["table"], proof["match"], proof["deal"], proof["client_seeds"])
    if seed.hex() != proof["seed"]:
        yield "the deal's seed does not come from the server seed and the players' seeds"
    for part, cards in DEALS[proof["game"]](seed, proof["start"]).items():
        if cards != proof["start"][part]:
            yield f"the {part} are not the ones that this seed deals"


def main(arguments: list[str] | None = None) -> int:
    """Check the proof that the command line names; return the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(arguments) != 1:
        print("usage: verify.py PROOF.json   (- for standard input)", file=sys.stderr)
        return 2
    try:
        text = sys.stdin.read() if arguments[0] == "-" else Path(arguments[0]).read_text("utf-8")
        proof = json.loads(text)
        found = list(faults(proof))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"This is no proof that can be read: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    for line in found or [
        f"Deal {proof['deal']} of match {proof['match']} at table {proof['table']} is as it was committed."
    ]:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
