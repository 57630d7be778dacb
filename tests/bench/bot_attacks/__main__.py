"""One person or group attacks the bot while people in two other groups play and send commands.

Redis, the engine and the bot run as separate processes. Telegram is the emulator, with Telegram's limits. The benchmark
prints how long the honest people waited for the answer to a press, for the changed screen, and for the answer to a
command. Each is the 95th percentile and the maximum, in seconds: before, during and after the attack, and after
`kill -9`.

`python -m tests.bench.bot_attacks [NAME …] [--seconds 30]`
"""

import asyncio
import sys
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Sequence

from tests.bench.bot_attacks import receiving, sending
from tests.bench.bot_attacks.scene import Result

ATTACKS: dict[str, Callable[[float], Awaitable[Result]]] = {
    attack.__name__: attack for module in (sending, receiving) for attack in module.ATTACKS
}


async def main(names: Sequence[str], seconds: float) -> int:
    """Print the result of each attack; return 1 if a bound does not hold."""
    holds = True
    for name in names or ATTACKS:
        result = await ATTACKS[name](seconds)
        holds &= result.holds
        print(f"{'held' if result.holds else 'FELL'}  {name}", *result.lines, sep="\n      ", flush=True)
    return 0 if holds else 1


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each attack lasts")
    args = parser.parse_args()
    sys.exit(asyncio.run(main(args.names, args.seconds)))
