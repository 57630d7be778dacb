"""Trains MaskablePPO on a game as PettingZoo's tutorial does, unchanged, and tells how it does against random play.

    python masked_ppo.py TUTORIAL [GAME [STEPS]]

`TUTORIAL` is PettingZoo's `sb3_connect_four_action_mask.py`; `make ppo` fetches it and what it needs.
"""

import runpy
import sys

from pettingzoo import register

SEED = 0
DEALS = 100


def main(tutorial: str, game: str = "presidente", steps: str = "20480") -> None:
    """Train on deals of a game, then play some with the second seat against random play."""
    name = f"locanda/{game}-v1"
    register("aec", name, "locanda.env:env", kwargs={"game": game})
    taught = runpy.run_path(tutorial)
    taught["train_action_mask"](name, steps=int(steps), seed=SEED)
    taught["eval_action_mask"](name, num_games=DEALS)


if __name__ == "__main__":
    main(*sys.argv[1:])
