"""Let computer players play many deals of a game; check that each one ends, and that no card is lost or doubled.

`python -m tests.bench.deals scopa 10000` plays 10,000 deals of Scopa and cycles through the variants that the game's
tests define. All players are `easy`, except in every fiftieth deal: there seat 0 is `hard` and seat 1 is `medium`.
"""

import sys
from itertools import cycle, islice
from random import Random
from time import process_time
from typing import Any

import msgspec

from locanda.games import choosing
from locanda.games.players import AnySituation, Budget, Situation
from locanda.messages import ComputerLevel
from locanda.testing.subject import GameSubject
from services.engine.table.fairness import shuffle
from tests.games.subjects import SUBJECTS

PLAY_OUTS = 3


def play(subject: GameSubject, options: Any, players: int, number: int) -> int:
    """Play one deal and return how many moves it took. Raises `AssertionError` for a stall or a lost card."""
    game, rng = subject.game, Random(number)
    deal = game.deal(options, players, number % players, rng.randbytes(32), shuffle, None)
    most, moves = subject.bound(deal), 0
    while (turn := deal.turn) is not None:
        level: ComputerLevel = "easy" if number % 50 or turn > 1 else ("hard", "medium")[turn]
        seen: AnySituation = Situation(game.view(deal, turn), None)
        move = choosing.choose(game, seen, level, rng, Budget(iterations=PLAY_OUTS)).move
        assert game.check(deal, move) is None, (number, move)
        deal, _ = game.play(deal, move, shuffle)
        moves += 1
        assert moves <= most, f"deal {number} does not end"
        assert not subject.lost(deal), (number, subject.lost(deal))
    return moves


def main(name: str, deals: int) -> None:
    """Play this number of deals and print the result."""
    subject, start = SUBJECTS[name], process_time()
    variants = [(msgspec.convert(options, subject.game.options), players) for options, players in subject.variants]
    moves = [play(subject, *variant, number) for number, variant in enumerate(islice(cycle(variants), deals))]
    print(
        f"{name}: {len(moves)} deals ended, in {min(moves)} to {max(moves)} moves each, {sum(moves)} in all; "
        f"{process_time() - start:.0f} s"
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
