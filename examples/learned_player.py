"""A net of one layer learns Presidente by playing itself, then plays at tables as an own player.

With ENGINE_PLAYERS=ada:presidente=http://127.0.0.1:9000/ and ENGINE_OUTBOUND_PRIVATE=127.0.0.1 in .env, and `make run`
in another terminal:

    .venv/bin/python -m examples.learned_player learn ada.npz 60      # seconds
    .venv/bin/python -m examples.learned_player play ada.npz 9000     # port
"""

import sys
from time import monotonic
from typing import Any, Final

import numpy as np
from aiohttp import web
from numpy.typing import NDArray

from locanda.env import NetSeat, Observation, env

GAME: Final = "presidente"
Weights = NDArray[np.float32]


def chances(weights: Weights, seen: Observation) -> NDArray[np.float64]:
    """Return the probability of each action."""
    legal = seen["action_mask"].astype(bool)
    values = np.where(legal, (weights[:, :-1] @ seen["observation"] + weights[:, -1]).astype(float), -np.inf)
    likely = np.exp(values - values.max())
    return np.asarray(likely / likely.sum())


def learn(seconds: float, players: int = 4, rate: float = 0.02) -> tuple[Weights, str]:
    """Train by REINFORCE for some seconds; return the weights, and the digest of actions and observations."""
    table, rng, end = env(GAME, players, padded=True, normalised=True), np.random.default_rng(), monotonic() + seconds
    weights = np.zeros((len(table.actions), len(table.names) + 1), np.float32)
    while monotonic() < end:
        table.reset()
        taken: dict[str, list[tuple[Observation, int, NDArray[np.float64]]]] = {agent: [] for agent in table.agents}
        for agent in table.agent_iter():
            seen, _, over, _, _ = table.last()
            if over or seen is None:
                break
            likely = chances(weights, seen)
            action = int(rng.choice(len(likely), p=likely))
            taken[agent].append((seen, action, likely))
            table.step(action)
        for agent, steps in taken.items():
            for seen, action, likely in steps:
                (legal,) = seen["action_mask"].nonzero()
                change = -likely[legal]
                change[legal == action] += 1
                weights[legal] += rate * table.rewards[agent] * np.outer(change, np.append(seen["observation"], 1))
    return weights, table.digest


def serve(weights: Weights, digest: str, port: int) -> None:
    """Answer engines that ask for moves. Raises `ValueError` if the net was trained on other observations."""
    seat = NetSeat(GAME, padded=True, normalised=True)
    if seat.digest != digest:
        raise ValueError("this release has other actions or observations: learn again")

    async def move(request: web.Request) -> web.Response:
        question: dict[str, Any] = await request.json()
        turn = seat.turn(question["view"], question["moves"])
        while turn.move is None:
            turn.take(int(chances(weights, turn.observe()).argmax()))
        return web.json_response({"move": turn.move})

    app = web.Application()
    app.router.add_post("/", move)
    web.run_app(app, host="127.0.0.1", port=port)


if __name__ == "__main__":
    task, file, number = sys.argv[1:]
    if task == "learn":
        weights, digest = learn(float(number))
        np.savez(file, weights=weights, digest=digest)
    else:
        saved = np.load(file)
        serve(saved["weights"], str(saved["digest"]), int(number))
