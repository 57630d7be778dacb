"""Lets people play matches of all four games while Telegram and processes fail; counts what broke.

Redis, engine and bot are processes of their own; people play in this process through the emulator, in groups and
alone. One call of the Bot API in twenty fails, and bot, engine or both are killed every few seconds. In the middle and
at the end of the matches all faults stop: then every screen must come to be true. No payload may show a secret
(`tests/secrecy.py`).

`python -m tests.bench.bot_faults [--matches 16] [--at-once 8] [--seed 1]`
"""

import asyncio
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path

from tests.bench.bot_faults.campaign import Report, campaign
from tests.redis_server import running_redis


def arguments() -> Namespace:
    """Return the arguments of the command."""
    parser = ArgumentParser()
    parser.add_argument("--matches", type=int, default=16)
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def tell(so_far: Report) -> None:
    """Print the figures so far."""
    print(so_far.text, end="\n\n", flush=True)


if __name__ == "__main__":
    given = arguments()
    with tempfile.TemporaryDirectory() as directory, running_redis(Path(directory)) as redis:
        report = asyncio.run(
            campaign(redis, Path(directory), matches=given.matches, at_once=given.at_once, seed=given.seed, tell=tell)
        )
    print(*report.problems, sep="\n")
    sys.exit(1 if report.problems else 0)
