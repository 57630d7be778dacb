"""Golden play-throughs of Diavoletto by eager players: random players mostly reach a deadlock before a build ends.

`python -m tests.games.diavoletto.played_to_win` writes the file of play-throughs.
"""

from pathlib import Path
from random import Random
from typing import Any

import msgspec

from locanda.testing.golden import DEALS, Variant, store
from services.engine.table.fairness import shuffle
from tests.games.diavoletto import subject as diavoletto
from tests.games.diavoletto.game import GAME

PLAYED_TO_WIN = Path(__file__).parent / "played_to_win.jsonl"


def played(options: dict[str, Any]) -> Variant:
    """Play the deals of a variant with two eager players; return the variant with the ends of its deals."""
    return Variant(options, 2, [_end(msgspec.convert(options, GAME.options), number) for number in range(DEALS)])


def _end(options: Any, number: int) -> str:
    deal = GAME.deal(options, 2, 0, number.to_bytes(32, "big"), shuffle, None)
    count, rng = 0, Random(number)
    while moves := GAME.moves(deal):
        deal, _ = GAME.play(deal, diavoletto.greedy(rng, deal, moves), shuffle)
        count += 1
    result = GAME.result(deal)
    assert result is not None
    return f"{count} {result.reason} {' '.join(map(str, result.points))}"


if __name__ == "__main__":
    store(PLAYED_TO_WIN, (played(options) for options in diavoletto.VARIANTS))
