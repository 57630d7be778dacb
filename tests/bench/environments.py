"""Steps a second of the environments, on one core: `python -m tests.bench.environments [seconds]`.

Each step reads the observation (arrays and the action mask) and takes a random action. Dealing is included. Times are
processor time, and the best of several rounds counts. The figures are written into docs/benchmarks.md.
"""

import sys
from datetime import UTC, datetime
from random import Random
from time import process_time

from locanda.env import DealEnv, env
from locanda.messages import GameName
from tests.bench.playouts import ROUNDS, ours
from tests.bench.report import write_into_page

BATCH = 100
"""Steps between two readings of the clock, because a reading takes a noticeable part of a step's time."""

MARKS = ("<!-- environments -->", "<!-- end of environments -->")


def measure(table: DealEnv, seconds: float) -> float:
    """Return the number of steps per second of random agents."""
    rng, steps, start = Random(1), 0, process_time()
    table.reset(seed=1)
    while (elapsed := process_time() - start) < seconds:
        for _ in range(BATCH):
            step(table, rng)
        steps += BATCH
    return steps / elapsed


def step(table: DealEnv, rng: Random) -> None:
    """Read the observation and take a random action. If the deal is over, start the next one first."""
    observation, _, over, _, _ = table.last()
    if over or observation is None:
        table.reset()
        return step(table, rng)
    legal = observation["action_mask"].view(bool).nonzero()[0]
    return table.step(int(legal[int(rng.random() * len(legal))]))


def main(seconds: float) -> None:
    """Print and publish the figures for each game."""
    rows = [f"Measured on {datetime.now(UTC):%Y-%m-%d}, one core, best of {ROUNDS} rounds.", ""]
    rows += ["| | actions | numbers observed | steps a second |", "| --- | ---: | ---: | ---: |"]
    for game, seats in ours():
        table = env(GameName(game.name), seats)
        best = max(measure(table, seconds / ROUNDS) for _ in range(ROUNDS))
        size = table.layout["chosen"].stop
        rows.append(f"| {game.name}, {seats} players | {len(table.actions):,} | {size:,} | {best:,.0f} |")
    print("\n".join(rows))
    write_into_page("\n".join(rows), MARKS)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
