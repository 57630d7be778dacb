"""Golden play-throughs: random deals from seeds, and how each ended under the rules of today.

A changed line means that the same moves now lead elsewhere: the game's rules version has to grow. Then, and only
then, `python -m tests.games.golden` writes the files anew.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from services.engine.table.fairness import shuffle
from tests.games.subjects import SUBJECTS

DEALS = 16
"""Deals of each variant; deal *k* has the seed *k*."""


class Variant(Struct, frozen=True):
    """A game under some options and how its deals ended: how many moves, why, and the points by seat."""

    options: dict[str, Any]
    seats: int
    ends: list[str] = []


def variants(game: str) -> list[Variant]:
    """Return the main variants of a game, not played yet."""
    return [Variant(options, seats) for options, seats in SUBJECTS[game].variants]


def path(game: str, kind: str = "golden") -> Path:
    """Return where a game's play-throughs are kept, one variant a line."""
    return Path(__file__).parents[1] / game / f"{kind}.jsonl"


def played(game: AnyGame, variant: Variant) -> Variant:
    """Return the variant with its deals played."""
    options = msgspec.convert(variant.options, game.options)
    return Variant(variant.options, variant.seats, [_end(game, options, variant.seats, k) for k in range(DEALS)])


def _end(game: AnyGame, options: Any, seats: int, number: int) -> str:
    """Play a deal with random moves. `Random.random` draws the same numbers in every version of Python."""
    deal = game.deal(options, seats, number % seats, number.to_bytes(32, "big"), shuffle, None)
    count, rng = 0, Random(number)
    while moves := game.moves(deal):
        deal, _ = game.play(deal, moves[int(rng.random() * len(moves))], shuffle)
        count += 1
    result = game.result(deal)
    assert result is not None
    return f"{count} {result.reason} {' '.join(map(str, result.points))}"


def stored(game: str, kind: str = "golden") -> Iterator[Variant]:
    """Yield the variants of a game as they are kept."""
    for line in path(game, kind).read_text(encoding="utf-8").splitlines():
        yield msgspec.json.decode(line, type=Variant)


def store(game: str) -> None:
    """Play a game's variants and keep how they end."""
    lines = [msgspec.json.encode(played(GAMES[game], variant)).decode() for variant in variants(game)]
    path(game).write_text("\n".join(lines) + "\n", encoding="utf-8")
