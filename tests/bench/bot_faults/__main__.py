"""Lets people play matches of all four games while Telegram and processes fail, and counts the failures.

Redis, engine and bot are separate processes. People play in this process through the emulator, in groups and alone.
They sit down, get up, seat computer players and change options before they start. One call of the Bot API in twenty
fails, and every few seconds bot, engine or both are killed, or a Redis is killed or frozen. While people sit down, in
the middle and at the end of the matches all faults stop: then every screen must come to agree with the table. No
payload may show a secret (`tests/secrecy.py`).

`python -m tests.bench.bot_faults [--matches 16] [--at-once 8] [--seed 1] [--directory /tmp/faults]`
"""

import asyncio
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from tests.bench.bot_faults.campaign import Report, campaign


def arguments() -> Namespace:
    """Return the arguments of the command."""
    parser = ArgumentParser()
    parser.add_argument("--matches", type=int, default=16)
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--directory", type=Path, help="an empty folder for logs and data, to be looked at afterwards")
    return parser.parse_args()


def teller() -> Callable[[Report], None]:
    """Return a function that prints the figures so far and the newly found problems."""
    printed = 0

    def tell(so_far: Report) -> None:
        nonlocal printed
        print(so_far.text, *so_far.problems[printed:], sep="\n", end="\n\n", flush=True)
        printed = len(so_far.problems)

    return tell


if __name__ == "__main__":
    args, tell = arguments(), teller()
    with tempfile.TemporaryDirectory() as temporary:
        report = asyncio.run(
            campaign(
                args.directory or Path(temporary),
                matches=args.matches,
                at_once=args.at_once,
                seed=args.seed,
                tell=tell,
            )
        )
    tell(report)
    sys.exit(1 if report.problems else 0)
