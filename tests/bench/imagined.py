"""Checks that the hidden deals that computer players imagine agree with the seat's view.

`python -m tests.bench.imagined [DEALS=10000 [GAME…]]` plays deals between beginners, in the variants that each game's
tests define. On each turn it draws a hidden deal that agrees with the view and the public events, and counts the hidden
deals in which the seat would see something else, or a card is lost.
"""

import sys
from collections.abc import Iterator
from itertools import count, cycle, islice
from random import Random
from time import process_time

import msgspec

from locanda.games import choosing
from locanda.games.players import AnySituation, Budget, Situation
from locanda.games.registry import GAME_NAMES
from locanda.testing.subject import GameSubject
from services.engine.table.fairness import shuffle
from tests.games.subjects import SUBJECTS

EACH = 4
"""The number of deals imagined on each turn."""


def contradictions(subject: GameSubject) -> Iterator[bool]:
    """For each imagined deal, yield whether it contradicts known facts. The generator never ends."""
    game, sample = subject.game, choosing.PLAYERS[subject.game.name].sample
    variants = cycle([(msgspec.convert(options, game.options), players) for options, players in subject.variants])
    for number, (options, players) in zip(count(), variants):
        rng = Random(f"imagined {number}")
        deal, history = game.deal(options, players, number % players, rng.randbytes(32), shuffle, None), ()
        while (seat := deal.turn) is not None:
            seen: AnySituation = Situation(game.view(deal, seat), history)
            for _ in range(EACH):
                drawn = sample(seen, rng)
                yield game.view(drawn, seat) != seen.view or bool(subject.lost(drawn))
            move = choosing.choose(game, seen, "easy", rng, Budget(iterations=1)).move
            deal, events = game.play(deal, move, shuffle)
            history = (*history, *events)


def check(name: str, deals: int) -> bool:
    """Print how many imagined deals contradict the known facts. Return whether none does."""
    start = process_time()
    contradicting = sum(islice(contradictions(SUBJECTS[name]), deals))
    print(f"{name}: {deals} deals imagined, {contradicting} contradictions; {process_time() - start:.0f} s", flush=True)
    return not contradicting


if __name__ == "__main__":
    DEALS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    sys.exit(0 if all(check(name, DEALS) for name in sys.argv[2:] or GAME_NAMES) else 1)
