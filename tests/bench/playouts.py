"""Random play-outs and moves a second of every game, on one core: `python -m tests.bench.playouts [seconds]`.

Legal moves are computed at every step, and dealing counts too. The best of several rounds is shown: others use the
machine as well.
"""

import sys
from random import Random
from time import perf_counter

from msgspec import Struct

from services.engine.fairness import shuffle
from services.engine.games.game import AnyGame
from services.engine.games.registry import GAMES

ROUNDS = 3


class Rate(Struct, frozen=True, order=True):
    """How fast a game went."""

    moves: float
    """A second."""
    playouts: float
    """A second."""


def playout(game: AnyGame, options: Struct, seats: int, rng: Random) -> int:
    """Play one random deal to its end and return how many moves it took."""
    deal = game.deal(options, seats, 0, rng.randbytes(32), shuffle, None)
    count = 0
    while moves := game.moves(deal):
        deal, _ = game.play(deal, moves[int(rng.random() * len(moves))], shuffle)
        count += 1
    return count


def measure(game: AnyGame, seats: int, seconds: float) -> Rate:
    """Play random deals for some time."""
    rng, options = Random(seats), game.options()
    start, moves, playouts = perf_counter(), 0, 0
    while (elapsed := perf_counter() - start) < seconds:
        moves += playout(game, options, seats, rng)
        playouts += 1
    return Rate(moves / elapsed, playouts / elapsed)


def main(seconds: float) -> None:
    """Print a table: each game with few and with many players."""
    print(f"{'game':<14}{'players':>8}{'play-outs/s':>14}{'moves/s':>12}")
    for game in GAMES.values():
        for seats in sorted({min(game.suggested), max(game.suggested)}):
            best = max(measure(game, seats, seconds / ROUNDS) for _ in range(ROUNDS))
            print(f"{game.name:<14}{seats:>8}{best.playouts:>14,.0f}{best.moves:>12,.0f}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
