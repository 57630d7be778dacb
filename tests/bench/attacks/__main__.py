"""Attacks on an engine with its default settings: the harm that one client within all limits can do to others.

`python -m tests.bench.attacks` (`make attack`) prints the result of each attack, and fails if a bound does not hold;
`python -m tests.bench.attacks storage` runs those of one module.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence

from tests.bench.attacks import automatic, outbound, requests, storage, thinking, timing
from tests.bench.attacks.engine import Result

ATTACKS: dict[str, Sequence[Callable[[], Awaitable[Result]]]] = {
    "thinking": thinking.ATTACKS,
    "automatic": automatic.ATTACKS,
    "storage": storage.ATTACKS,
    "requests": requests.ATTACKS,
    "outbound": outbound.ATTACKS,
    "timing": timing.ATTACKS,
}
"""The attacks of each module."""


async def main(modules: Sequence[str]) -> int:
    """Print the result of each attack; return 1 if a bound does not hold."""
    holds = True
    for attack in (attack for module in modules or ATTACKS for attack in ATTACKS[module]):
        result = await attack()
        holds &= result.holds
        print(f"{'held' if result.holds else 'FELL'}  {result.attack}: {result.figures}", flush=True)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
