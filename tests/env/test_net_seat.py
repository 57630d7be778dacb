"""A net trained in an environment plays at a seat: it gets the same numbers from an own player's request."""

import json
import re
from itertools import islice
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from locanda.env import NetSeat, NetTurn, env
from locanda.games.rules import GAMES
from locanda.messages import GameName, GivenOptions
from tests.env import layouts
from tests.env.test_environments import episode, random_action
from tests.forked import ROOT
from tests.games.subjects import SUBJECTS, AnyStart, law, played_moves

ANY = next(iter(GAMES))


def sent(game: str, deal: Any) -> Any:
    """Return the `view` and `moves` that an engine sends to an own player, as JSON."""
    rules = GAMES[game]
    body = {"view": rules.view(deal, deal.turn), "moves": rules.moves(deal)}
    return msgspec.json.decode(msgspec.json.encode(body))


@law
def test_a_seat_observes_and_says_moves_as_the_environment_does(start: AnyStart) -> None:
    padded = start.dealer == 0
    table = env(GameName(start.name), start.seats, start.options, padded=padded, normalised=padded)
    seat = NetSeat(GameName(start.name), start.seats, start.options, padded=padded, normalised=padded)
    assert seat.digest == table.digest
    table.reset()
    rng = Random(start.seed)
    for step in islice(played_moves(start), 0, None, 5):
        episode(table).lay(step.deal)
        body = sent(start.name, step.deal)
        turn: NetTurn[Any] = seat.turn(body["view"], body["moves"])
        while turn.move is None:
            seen, observed = turn.observe(), table.observe(f"seat_{step.deal.turn}")
            assert np.array_equal(seen["observation"], observed["observation"])
            assert np.array_equal(seen["action_mask"], observed["action_mask"])
            action = random_action(seen["action_mask"], rng)
            said = episode(table).choice.take(action)
            turn.take(action)
            assert turn.move == (None if said is None else msgspec.json.decode(msgspec.json.encode(said)))
        assert turn.move in body["moves"]


def test_what_is_not_for_a_seat_is_refused_in_words() -> None:
    for players, game, why in ((3, ANY, "of 2 players, the seat of 3"), (2, "presidente", "view: Invalid value")):
        table = env(GameName(ANY), 2)
        table.reset(seed=1)
        body = sent(ANY, table.deal)
        with pytest.raises(ValueError, match=why):
            NetSeat(GameName(game), players).turn(body["view"], body["moves"])
        with pytest.raises(ValueError, match="moves: there is none"):
            NetSeat(GameName(ANY), 2).turn(body["view"], [])


def test_a_seat_takes_what_a_client_of_a_table_has() -> None:
    table = env(GameName(ANY), 2)
    table.reset(seed=1)
    view, moves = table.view(table.agent_selection), table.legal_moves()
    turn = NetSeat(GameName(ANY), 2).turn(view, moves)
    while turn.move is None:
        turn.take(int(turn.observe()["action_mask"].argmax()))
    assert turn.move in moves


def test_the_seat_of_the_guide_answers_with_a_move() -> None:
    _, seat = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "environments.md").read_text(), re.DOTALL)
    table = env("presidente", 4, padded=True, normalised=True)
    table.reset(seed=1)
    namespace: dict[str, Any] = {"net": lambda _, mask: int(mask.argmax()), "digest_of_the_net": table.digest}
    exec(seat, namespace)
    body = sent("presidente", table.deal)
    assert namespace["answer"](**body) in body["moves"]


def test_digests_change_only_with_the_changelog() -> None:
    stored = json.loads(layouts.FILE.read_text())
    assert layouts.digests() == stored, "saved nets become useless: python -m tests.env.layouts, and CHANGELOG.md"


@pytest.mark.parametrize("name", GAMES)
def test_padded_observations_have_one_size_and_normalised_ones_are_between_minus_one_and_one(name: str) -> None:
    sizes, digests = set[int](), set[str]()
    for variant, seats in SUBJECTS[name].variants[:6]:
        table, rng = env(GameName(name), seats, GivenOptions(variant), padded=True, normalised=True), Random(3)
        table.reset(seed=1)
        space = table.observation_space("seat_0")
        for _ in range(60):
            observation, _, over, _, _ = table.last()
            assert observation is not None
            assert space.contains(observation)
            if over:
                break
            table.step(random_action(observation["action_mask"], rng))
        sizes.add(len(table.names))
        digests.add(table.digest)
    assert len(sizes) == len(digests) == 1
