"""Computes how a million tables spread over a Redis Cluster: the number of tables and moves of each primary.

    python -m tests.bench.cluster_slots [TABLES] [PRIMARIES…]

This is a calculation without servers: the buckets are those of the store (`keys.tag_of`), the slots those of Redis
(CRC16, Redis Cluster specification), and primaries have equal ranges of slots, as `redis-cli --cluster create` makes
them. Each table has a move every `SECONDS_A_MOVE`, at a random moment.
"""

import random
import sys
from binascii import crc_hqx
from collections import Counter

from services.engine.service.tokens import new_table_id
from services.engine.store import keys

TABLES = 1_000_000
PRIMARIES = (4, 8, 16, 24)
SLOTS = 16_384
SECONDS_A_MOVE = 5.0


def slot_of(tag: str) -> int:
    """Return the slot of the keys with a hash tag."""
    return crc_hqx(tag.encode(), 0) % SLOTS


def primary_of(tag: str, primaries: int) -> int:
    """Return the number of the primary that holds a bucket. Primaries have equal ranges of slots."""
    return slot_of(tag) * primaries // SLOTS


def spread(tables: int, primaries: int) -> tuple[list[int], list[int]]:
    """Return each primary's number of tables, and its highest number of moves in one second of sixty."""
    held: Counter[int] = Counter()
    moves: Counter[tuple[int, int]] = Counter()
    for _ in range(tables):
        primary = primary_of(keys.tag_of(new_table_id()), primaries)
        held[primary] += 1
        at = random.random() * SECONDS_A_MOVE
        while at < 60:
            moves[primary, int(at)] += 1
            at += SECONDS_A_MOVE
    every = range(primaries)
    return [held[engine] for engine in every], [max(moves[engine, second] for second in range(60)) for engine in every]


def main() -> None:
    """Print a line for each number of primaries."""
    tables, *primaries = [int(word) for word in sys.argv[1:]] or [TABLES]
    print("| primaries | with tables | most tables | over the mean | most moves a second |")
    print("| --- | --- | --- | --- | --- |")
    for number in primaries or PRIMARIES:
        held, moves = spread(tables, number)
        used = sum(1 for count in held if count)
        excess = max(held) * used / tables - 1
        print(f"| {number} | {used} | {max(held):,} | {excess:+.1%} | {max(moves):,} |")


if __name__ == "__main__":
    main()
