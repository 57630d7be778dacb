"""Trains MaskablePPO on a game with PettingZoo's unchanged tutorial, and measures it against random play.

    python masked_ppo.py TUTORIAL [GAME [STEPS]]

`TUTORIAL` is PettingZoo's `sb3_connect_four_action_mask.py`; `make ppo` fetches it and what it needs.
"""

import runpy
import sys
from typing import Any

from pettingzoo import register
from pettingzoo.utils.wrappers import BaseWrapper

from locanda.env import Observation, env
from locanda.messages import GameName

SEED = 0
DEALS = 100


class AgainstRandomPlay(BaseWrapper[str, Observation, int]):
    """A deal in which the net plays only the second seat.

    The tutorial rewards the agent that ends a deal. With all seats, a net would learn to let somebody end it soon.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the cards, and let the others play until the net's turn."""
        super().reset(seed, options)
        self._play_on()

    def step(self, action: int) -> None:
        """Take an action of the net, and let the others play until its next turn."""
        super().step(action)
        self._play_on()

    def _play_on(self) -> None:
        for agent in self.agent_iter():
            seen, _, over, _, _ = self.last()
            if over or seen is None or agent == self.possible_agents[1]:
                return
            super().step(self.action_space(agent).sample(seen["action_mask"]))


def main(tutorial: str, game: str = "presidente", steps: str = "20480") -> None:
    """Train the second seat on deals of a game, then let it play some."""
    register("aec", "locanda/learning-v1", lambda: AgainstRandomPlay(env(GameName(game))))
    register("aec", "locanda/playing-v1", "locanda.env:env", kwargs={"game": game})
    taught = runpy.run_path(tutorial)
    taught["train_action_mask"]("locanda/learning-v1", steps=int(steps), seed=SEED)
    taught["eval_action_mask"]("locanda/playing-v1", num_games=DEALS)


if __name__ == "__main__":
    main(*sys.argv[1:])
