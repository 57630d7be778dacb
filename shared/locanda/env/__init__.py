"""Environments for reinforcement learning: PettingZoo environments of all games, which need no server.

    from locanda.env import env
    from locanda.games.registry import GAME_NAMES
    from locanda.messages import GameName

    table = env(GameName(GAME_NAMES[0]), players=2)
    table.reset(seed=1)
    for agent in table.agent_iter():
        observation, reward, over, _, _ = table.last()
        table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))

docs/environments.md describes actions and observations. Install the extra `env` (docs/python.md).
"""

from locanda.env.actions import Actions
from locanda.env.encoding import Observation
from locanda.env.environments import DealEnv, ParallelDealEnv, env, parallel_env
from locanda.env.net_seat import NetSeat, NetTurn

__all__ = ["Actions", "DealEnv", "NetSeat", "NetTurn", "Observation", "ParallelDealEnv", "env", "parallel_env"]
