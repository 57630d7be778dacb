"""Golden play-throughs: random deals from fixed seeds, with the result of each deal when the file was written.

If a result changes, the same moves now lead to a different deal. Then, and only then, increase the version of the
game's rules and write the files again with `pytest --write-golden`.
"""

from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from locanda.games.game import AnyGame
from locanda.games.shuffling import shuffle
from locanda.testing.subject import GameSubject

DEALS = 16
"""Number of deals for each variant; deal *k* has the seed *k*."""


class Variant(Struct, frozen=True):
    """A game with certain options, and the end of each deal: number of moves, reason, points by seat."""

    options: dict[str, Any]
    seats: int
    ends: list[str] = []


def variants(subject: GameSubject) -> list[Variant]:
    """Return the main variants of a game, without deals."""
    return [Variant(options, seats) for options, seats in subject.variants]


def played(game: AnyGame, variant: Variant) -> Variant:
    """Play the deals of a variant; return the variant with their ends."""
    options = msgspec.convert(variant.options, game.options)
    return Variant(variant.options, variant.seats, [_end(game, options, variant.seats, k) for k in range(DEALS)])


def _end(game: AnyGame, options: Any, seats: int, number: int) -> str:
    """Play a deal with random moves. `Random.random` returns the same numbers in every version of Python."""
    deal = game.deal(options, seats, number % seats, number.to_bytes(32, "big"), shuffle, None)
    count, rng = 0, Random(number)
    while moves := game.moves(deal):
        deal, _ = game.play(deal, moves[int(rng.random() * len(moves))], shuffle)
        count += 1
    result = game.result(deal)
    assert result is not None
    return f"{count} {result.reason} {' '.join(map(str, result.points))}"


def stored(file: Path) -> list[Variant]:
    """Return the variants in a file, one on each line."""
    return [msgspec.json.decode(line, type=Variant) for line in file.read_text(encoding="utf-8").splitlines()]


def store(file: Path, variants: Iterable[Variant]) -> None:
    """Write variants with the ends of their deals to a file."""
    file.write_text("".join(f"{msgspec.json.encode(variant).decode()}\n" for variant in variants), encoding="utf-8")
