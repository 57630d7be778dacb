"""SuperSuit steps many environments at once, in this process and in others."""

from typing import Any

import numpy as np
import pytest

from locanda.env import env, parallel_env
from locanda.games.rules import GAMES
from locanda.messages import GameName

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:agent_selector is deprecated"),  # SuperSuit uses it
]

supersuit = pytest.importorskip("supersuit")  # no release supports Python 3.13
STEPS = 200


def first_actions(masks: Any) -> Any:
    return np.array([int(mask.argmax()) for mask in masks])


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("name", GAMES)
def test_concatenated_vectors_play_deal_after_deal(name: str, processes: int) -> None:
    one = supersuit.pettingzoo_env_to_vec_env_v1(parallel_env(GameName(name)))
    many = supersuit.concat_vec_envs_v1(one, 2, num_cpus=processes, base_class="gymnasium")
    observed, _ = many.reset(seed=1)
    deals = 0
    for _ in range(STEPS):
        observed, _, over, _, _ = many.step(first_actions(observed["action_mask"]))
        deals += int(over.any())
    assert deals or name == "ramino"
    assert observed["observation"].shape[0] == 2 * one.num_envs
    many.close()


@pytest.mark.parametrize("name", GAMES)
def test_copies_whose_agents_act_in_turn_are_stepped_together(name: str) -> None:
    many = supersuit.vectorize_aec_env_v0(env(GameName(name), padded=True), 3)
    many.reset(seed=1)
    shapes = set[tuple[int, ...]]()
    for _ in many.agent_iter(STEPS):
        observed, *_ = many.last()
        many.step(first_actions(seen["action_mask"] for seen in observed).tolist())
        shapes |= {seen["observation"].shape for seen in observed}
    assert len(shapes) == 1
