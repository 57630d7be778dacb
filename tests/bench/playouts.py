"""Play-outs and moves a second of every game, on one core: `python -m tests.bench.playouts [seconds]`.

Random play-outs follow the rules: legal moves are computed at every step, and dealing is included. Play-outs of
`hard`'s search run in its own simulator and include drawing the hidden deals. Times are processor time, and the best of
several rounds counts. The figures are written into docs/benchmarks.md. If RLCard and OpenSpiel are installed, their
most similar games are printed too.
"""

import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from random import Random
from time import process_time
from typing import TypeAlias

from msgspec import Struct

from locanda.games.choosing import PLAYERS
from locanda.games.game import AnyGame
from locanda.games.players import AnySituation, Budget, Situation
from locanda.games.rules import GAMES
from services.engine.table.fairness import shuffle
from tests.bench.peers import missing, peers
from tests.bench.report import write_into_page

ROUNDS = 3
MARKS = ("<!-- play-outs -->", "<!-- end of play-outs -->")
THOUGHT = 200.0
"""Milliseconds of processor time that a search may use for a move, the same as at a table."""

Playout: TypeAlias = Callable[[Random], int]
"""A function that plays one random deal to its end and returns the number of moves made."""


class PlayoutRate(Struct, frozen=True, order=True):
    """The speed of one game."""

    moves: float
    """Moves per second."""
    playouts: float
    """Play-outs per second."""


def playout(game: AnyGame, seats: int, rng: Random) -> int:
    """Play one random deal of one of our games, and return the number of moves."""
    deal = game.deal(game.options(), seats, 0, rng.randbytes(32), shuffle, None)
    count = 0
    while moves := game.moves(deal):
        deal, _ = game.play(deal, moves[int(rng.random() * len(moves))], shuffle)
        count += 1
    return count


def ours() -> Iterator[tuple[AnyGame, int]]:
    """Yield each of our games with few and with many players."""
    for game in GAMES.values():
        for seats in sorted({min(game.suggested), max(game.suggested)}):
            yield game, seats


def searched(game: AnyGame, seats: int, seconds: float) -> float:
    """Return the play-outs per second of processor time in searches for a first move; 0 for games without a search."""
    rng = Random(1)
    start, playouts = process_time(), 0
    while (elapsed := process_time() - start) < seconds:
        deal = game.deal(game.options(), seats, 0, rng.randbytes(32), shuffle, None)
        situation: AnySituation = Situation(game.view(deal, deal.turn), ())
        analysis = PLAYERS[game.name].weigh(situation, game.moves(deal), rng, Budget(cpu_milliseconds=THOUGHT))
        if not analysis.simulations:
            return 0.0
        playouts += sum(weighed.simulations for weighed in analysis.weighed)
    return playouts / elapsed


def measure(play: Playout, seconds: float) -> PlayoutRate:
    """Play random deals for some time, and return the rates."""
    rng = Random(1)
    start, moves, playouts = process_time(), 0, 0
    while (elapsed := process_time() - start) < seconds:
        moves += play(rng)
        playouts += 1
    return PlayoutRate(moves / elapsed, playouts / elapsed)


def main(seconds: float) -> None:
    """Print and publish the figures of our games, then print those of other engines' games."""
    rows = [f"Measured on {datetime.now(UTC):%Y-%m-%d}, one core, best of {ROUNDS} rounds.", ""]
    rows += ["| a second | random play-outs | their moves | play-outs of a search |", "| --- | ---: | ---: | ---: |"]
    for game, seats in ours():
        best = max(measure(partial(playout, game, seats), seconds / ROUNDS) for _ in range(ROUNDS))
        search = max(searched(game, seats, seconds / ROUNDS) for _ in range(ROUNDS))
        searches = f"{search:,.0f}" if search else "–"
        rows.append(f"| {game.name}, {seats} players | {best.playouts:,.0f} | {best.moves:,.0f} | {searches} |")
    print("\n".join(rows))
    write_into_page("\n".join(rows), MARKS)
    for name, play in peers():
        best = max(measure(play, seconds / ROUNDS) for _ in range(ROUNDS))
        print(f"{name:<26}{best.playouts:>12,.0f}{best.moves:>12,.0f}")
    if missing():
        print(f"Not installed: {' and '.join(missing())}. `make peers` installs them.")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
