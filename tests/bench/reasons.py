"""Check reasons for moves of each game and level, 10,000 of each: `python -m tests.bench.reasons [GAME…]`.

It fails if a reason is false by the rules, or in the deals that agree with the player's knowledge.
"""

import sys
from collections.abc import Iterable

from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from tests.games.moments import LEVELS
from tests.games.reason_claims import false_reasons

REASONS = 10_000


def check(names: Iterable[str], count: int = REASONS) -> bool:
    """Print the number of false reasons. Return whether there are none."""
    sound = True
    for name in names:
        for level in LEVELS:
            counts, false = false_reasons(GAMES[name], level, count, seed=1)
            print(f"{name}, {level}: {counts.total()} reasons of {len(counts)} kinds, {len(false)} false", flush=True)
            for code, case in false[:5]:
                print(f"  {code}: {case.move} {case.facts}")
            sound = sound and not false
    return sound


if __name__ == "__main__":
    sys.exit(0 if check(sys.argv[1:] or GAME_NAMES) else 1)
