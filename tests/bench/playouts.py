"""Random play-outs and moves a second of every game, on one core: `python -m tests.bench.playouts [seconds]`.

Legal moves are computed at every step, and dealing counts too. The best of several rounds is shown: others use the
machine as well. Beside ours stand the nearest games of RLCard and OpenSpiel, where these are installed.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from time import perf_counter
from typing import TypeAlias

from msgspec import Struct

from services.engine.games import GAMES
from services.engine.games.base import AnyGame
from services.engine.table.fairness import shuffle
from tests.bench.peers import missing, peers

ROUNDS = 3

Playout: TypeAlias = Callable[[Random], int]
"""Plays one random deal to its end and returns how many moves the players made."""


class PlayoutRate(Struct, frozen=True, order=True):
    """How fast a game went."""

    moves: float
    """A second."""
    playouts: float
    """A second."""


def playout(game: AnyGame, seats: int, rng: Random) -> int:
    """Play one random deal of a game of ours."""
    deal = game.deal(game.options(), seats, 0, rng.randbytes(32), shuffle, None)
    count = 0
    while moves := game.moves(deal):
        deal, _ = game.play(deal, moves[int(rng.random() * len(moves))], shuffle)
        count += 1
    return count


def ours() -> Iterator[tuple[str, Playout]]:
    """Yield each game of ours with few and with many players."""
    for game in GAMES.values():
        for seats in sorted({min(game.suggested), max(game.suggested)}):
            yield f"{game.name}, {seats} players", partial(playout, game, seats)


def measure(play: Playout, seconds: float) -> PlayoutRate:
    """Play random deals for some time."""
    rng = Random(1)
    start, moves, playouts = perf_counter(), 0, 0
    while (elapsed := perf_counter() - start) < seconds:
        moves += play(rng)
        playouts += 1
    return PlayoutRate(moves / elapsed, playouts / elapsed)


def main(seconds: float) -> None:
    """Print a table: each game of ours, then the others'."""
    print(f"{'game':<26}{'play-outs/s':>12}{'moves/s':>12}")
    for name, play in [*ours(), *peers()]:
        best = max(measure(play, seconds / ROUNDS) for _ in range(ROUNDS))
        print(f"{name:<26}{best.playouts:>12,.0f}{best.moves:>12,.0f}")
    if missing():
        print(f"Not installed: {' and '.join(missing())}. `make peers` installs them.")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
