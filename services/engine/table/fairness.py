"""Provably fair shuffles: the server commits to a seed before players add theirs, and anyone can verify the result.

The server seeds of a table's matches are derived from one secret. The commitment to a seed is published when its match
opens. A deal's seed combines the server seed and the seats' client seeds; `locanda.games.shuffling` shuffles with it.
"""

import hashlib
import hmac
import json
from collections.abc import Sequence

from locanda.games.shuffling import shuffle

__all__ = ["commitment", "deal_seed", "server_seed", "shuffle"]

DOMAIN = b"locanda-shuffle-v1"


def server_seed(root: bytes, match: int) -> bytes:
    """Return the server seed of a match, 32 bytes, which reveals nothing about those of other matches."""
    return hmac.digest(root, b"%s match %d" % (DOMAIN, match), "sha256")


def commitment(table: str, match: int, seed: bytes) -> str:
    """Return SHA-256("locanda-shuffle-v1" ‖ table ‖ match ‖ server seed) in hex; the match is in decimal digits."""
    return hashlib.sha256(DOMAIN + table.encode() + str(match).encode() + seed).hexdigest()


def deal_seed(seed: bytes, table: str, match: int, deal: int, client_seeds: Sequence[str]) -> bytes:
    """Return HMAC-SHA-256(server seed, [table, match, deal, client seeds] as JSON in the form of RFC 8785)."""
    message = json.dumps([table, match, deal, list(client_seeds)], ensure_ascii=False, separators=(",", ":"))
    return hmac.digest(seed, message.encode(), "sha256")
