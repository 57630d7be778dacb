"""The environments follow PettingZoo's API for every game and number of players, and do not reveal hidden cards."""

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import count, islice
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec import inspect
from pettingzoo.test.api_test import api_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import seed_test

from locanda import messages
from locanda.env import Actions, DealEnv, env, parallel_env
from locanda.env.episode import Episode
from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from locanda.messages import GameName, GivenOptions
from services.engine.http.api.handlers import games as engine
from tests.forked import ROOT
from tests.games.subjects import SUBJECTS, AnyStart, law, played_moves
from tests.sampling import WHOLE

STEPS = 2_500 if WHOLE else 500
"""Number of steps of each game to compare with the engine."""

TABLES = [(GameName(name), seats) for name, game in GAMES.items() for seats in game.seats(game.options())]

IN_ORDER = (
    "ignore:Observation (space for each agent|is not a NumPy array)",  # a dict with an action mask is documented
    "ignore:Action mask numpy array is all zeros",  # so it is for agents that are not on turn
)


def of_each(test: Callable[..., None]) -> Any:
    """Run a test for every game and number of players."""
    return pytest.mark.parametrize(("name", "players"), TABLES, ids=[f"{name}-{seats}" for name, seats in TABLES])(test)


def random_action(mask: "np.ndarray[Any, Any]", rng: Random) -> int:
    legal = mask.nonzero()[0]
    return int(legal[int(rng.random() * len(legal))])


def episode(table: DealEnv) -> Episode:
    """Return the deal of an environment, and the actions chosen so far for the current move."""
    return table.unwrapped._episode


def play_on(table: DealEnv, rng: Random) -> None:
    """Take a random action; once the deal is over, let all agents leave and deal again."""
    observation, _, over, _, _ = table.last()
    if not over:
        assert observation is not None
        table.step(random_action(observation["action_mask"], rng))
        return
    while table.agents:
        table.step(None)
    table.reset()


@of_each
@pytest.mark.filterwarnings(IN_ORDER[0], IN_ORDER[1])
def test_the_tests_of_pettingzoo_pass(name: GameName, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(name, players), num_cycles=60)  # type: ignore[no-untyped-call]
    seed_test(lambda: env(name, players), num_cycles=60)  # type: ignore[no-untyped-call]
    parallel_api_test(parallel_env(name, players), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", GAMES)
def test_the_render_test_of_pettingzoo_passes(name: str) -> None:
    render_test(partial(env, GameName(name)))  # type: ignore[arg-type]  # of PettingZoo's, which are no Gymnasium's


def test_in_the_mode_for_people_each_step_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    table = env(GameName(next(iter(GAMES))), render_mode="human")
    table.reset(seed=1)
    first = capsys.readouterr().out
    play_on(table, Random(1))
    second = capsys.readouterr().out
    assert first.startswith("It is seat_")
    assert second
    assert first != second


def test_a_step_before_the_cards_are_dealt_is_refused_as_by_pettingzoo() -> None:
    table = env(GameName(next(iter(GAMES))))
    with pytest.raises(Exception, match="reset"):
        table.step(0)
    with pytest.raises(Exception, match="reset"):
        table.last()
    with pytest.raises(AttributeError, match="reset"):
        _ = table.agent_selection


@pytest.mark.parametrize("name", GAMES)
def test_a_pickled_copy_goes_on_with_the_same_deals_and_half_made_move(name: str) -> None:
    table, halfway = env(GameName(name), padded=True), Random(4)
    table.reset(seed=2)
    for _ in range(30):
        play_on(table, halfway)
    if table.actions.have_lists:
        while not episode(table).choice.chosen:
            play_on(table, halfway)
    copied = pickle.loads(pickle.dumps(table))
    assert copied.digest == table.digest
    rng, rng_of_copy = Random(6), Random(6)
    for _ in range(200):  # enough to reach later deals
        for agent in table.possible_agents:
            ours, theirs = table.observe(agent), copied.observe(agent)
            assert np.array_equal(ours["observation"], theirs["observation"])
            assert np.array_equal(ours["action_mask"], theirs["action_mask"])
        play_on(table, rng)
        play_on(copied, rng_of_copy)
    assert episode(copied).deal == episode(table).deal


@pytest.mark.parametrize("name", GAMES)
def test_a_pickled_parallel_copy_goes_on_too(name: str) -> None:
    table = parallel_env(GameName(name))
    observed, _ = table.reset(seed=2)
    actions = {agent: random_action(seen["action_mask"], Random(1)) for agent, seen in observed.items()}
    copied = pickle.loads(pickle.dumps(table))
    for ours, theirs in zip(table.step(actions)[0].values(), copied.step(actions)[0].values(), strict=True):
        assert np.array_equal(ours["observation"], theirs["observation"])


@pytest.mark.parametrize("kind", [np.int64, np.array, lambda action: np.array([action])])
def test_an_action_may_be_an_integer_of_numpy(kind: Callable[[int], Any]) -> None:
    for make in (env, parallel_env):
        table: Any = make(GameName(next(iter(GAMES))))
        observed = table.reset(seed=1)
        if make is env:
            table.step(kind(random_action(table.last()[0]["action_mask"], Random(1))))
        else:
            actions = {name: random_action(seen["action_mask"], Random(1)) for name, seen in observed[0].items()}
            table.step({agent: kind(action) for agent, action in actions.items()})


def test_an_action_that_is_no_integer_is_refused() -> None:
    table, beside = env(GameName(next(iter(GAMES)))), parallel_env(GameName(next(iter(GAMES))))
    table.reset(seed=1)
    beside.reset(seed=1)
    for action in (3.0, np.array([3.0]), "3"):
        with pytest.raises(TypeError, match="integer"):
            table.step(action)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="integer"):
            beside.step(dict.fromkeys(beside.agents, action))  # type: ignore[arg-type]


@of_each
def test_both_environments_show_and_reward_the_same(name: GameName, players: int) -> None:
    rng, table, beside = Random(5), env(name, players), parallel_env(name, players)
    table.reset(seed=3)
    observed, _ = beside.reset(seed=3)
    while True:
        agent = table.agent_selection
        for other in table.agents:
            assert np.array_equal(table.observe(other)["observation"], observed[other]["observation"])
            waits = observed[other]["action_mask"][beside.wait]
            assert waits == (other != agent)
        action = random_action(table.observe(agent)["action_mask"], rng)
        table.step(action)
        observed, rewards, over, _, _ = beside.step({**dict.fromkeys(beside.agents, beside.wait), agent: action})
        if any(over.values()):
            break
    assert rewards == table.rewards
    assert sum(rewards.values()) == pytest.approx(0)
    result = GAMES[name].result(table.deal)
    assert result is not None
    best = {f"seat_{seat}" for seat in result.ranking[0]}
    assert {winner for winner, reward in rewards.items() if reward == max(rewards.values())} >= best


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
async def test_every_step_is_that_of_the_engine(name: str) -> None:
    game, rng = GAMES[name], Random(name)
    steps, variants = 0, SUBJECTS[name].variants
    for number in count():
        if steps >= STEPS:
            break
        options, seats = variants[number % len(variants)]
        steps += await _compare(game, options, seats, number, rng)


async def _compare(game: AnyGame, options: dict[str, Any], seats: int, number: int, rng: Random) -> int:
    """Play the same deal in an environment and by the engine's stateless calls; return the number of steps."""
    typed_options, seed, dealer, steps = GivenOptions(options), rng.randbytes(32).hex(), number % seats, 0
    table = env(GameName(game.name), seats, typed_options)
    table.reset(options={"seed": seed, "dealer": dealer})
    deal_request = messages.DealRequest(seats=seats, options=typed_options, dealer=dealer, seed=seed)
    deal: Any = (await engine.deals(None, game=game, body=deal_request)).deal  # type: ignore[arg-type]
    result = None
    while deal.turn is not None:
        agent = table.agent_selection
        assert agent == f"seat_{deal.turn}"
        listed = await engine.moves(None, game=game, body=messages.DealBody(deal))  # type: ignore[arg-type]
        moves = table.legal_moves()
        assert msgspec.to_builtins(moves) == listed.moves
        shown = await engine.view(None, game=game, body=messages.ViewRequest(deal, deal.turn))  # type: ignore[arg-type]
        assert table.view(agent) == shown.view
        chosen = int(rng.random() * len(moves))
        actions = table.actions_of(moves[chosen])
        for action in actions:
            assert table.observe(agent)["action_mask"][action]
            table.step(action)
        steps += len(actions)
        request = messages.MoveRequest(deal, msgspec.Raw(msgspec.json.encode(listed.moves[chosen])))
        after = await engine.play(None, game=game, body=request)  # type: ignore[arg-type]
        assert msgspec.to_builtins(table.infos[agent]["events"]) == after.events
        deal, result = after.deal, after.result
    assert game.to_wire(table.deal) == deal
    assert result == game.result(table.deal)
    return steps


@pytest.mark.slow
@law
def test_what_an_agent_observes_does_not_depend_on_hidden_cards(start: AnyStart) -> None:
    game, rng = start.game, Random(start.seed)
    table = env(GameName(start.name), start.seats, start.options)
    table.reset()
    for step in islice(played_moves(start), 0, None, 3):
        episode(table).lay(step.deal)
        agents = table.possible_agents
        seen = [table.observe(agent) for agent in agents]
        for agent, before in zip(agents, seen, strict=True):
            other = copy.deepcopy(table)
            episode(other).lay(game.determinize(table.view(agent), rng))
            now = other.observe(agent)
            assert np.array_equal(before["observation"], now["observation"])
            assert np.array_equal(before["action_mask"], now["action_mask"])


@pytest.mark.parametrize("name", [name for name in GAMES if Actions(GAMES[name]).have_lists])
def test_nobody_else_observes_a_move_that_is_not_certain_yet(name: str) -> None:
    table, rng, compared = env(GameName(name)), Random(2), 0
    table.reset(seed=1)
    while compared < 10:
        agent, before = table.agent_selection, [table.observe(other_agent) for other_agent in table.possible_agents]
        play_on(table, rng)
        if table.infos[agent].get("events") == []:
            for watcher, seen in zip(table.possible_agents, before, strict=True):
                changed = not np.array_equal(table.observe(watcher)["observation"], seen["observation"])
                assert changed == (watcher == agent)
            compared += 1


@law
def test_every_listed_move_is_said_by_its_own_actions(start: AnyStart) -> None:
    table = env(GameName(start.name), start.seats, start.options)
    table.reset()
    for step in islice(played_moves(start), 0, None, 3):
        episode(table).lay(step.deal)
        said = [tuple(table.actions_of(move)) for move in step.moves]
        assert len({*said}) == len(step.moves)
        choices = [len(episode(table).choice.options)]
        for action in said[-1][:-1]:
            assert episode(table).choice.take(action) is None
            choices.append(len(episode(table).choice.options))
        assert all(count > 1 for count in choices) or len(step.moves) == 1
        assert episode(table).choice.take(said[-1][-1]) == step.moves[-1]


@law
def test_different_views_are_different_arrays(start: AnyStart) -> None:
    table = env(GameName(start.name), start.seats, start.options)
    table.reset()
    game, views = start.game, dict[bytes, bytes]()
    for step in played_moves(start):
        episode(table).lay(step.deal)
        seen = game.view(step.deal, 0)
        array = table.observe("seat_0")["observation"].tobytes()
        view = msgspec.json.encode(seen)
        assert views.setdefault(array, view) == view


@pytest.mark.parametrize("name", GAMES)
def test_the_actions_of_a_game_are_named_and_the_same_whatever_the_options(name: str) -> None:
    game = GAMES[name]
    actions = env(GameName(name)).actions
    assert len({*actions.names}) == len(actions)
    assert actions.names == Actions(game).names
    kinds = inspect.type_info(game.move_type)
    types = kinds.types if isinstance(kinds, inspect.UnionType) else (kinds,)
    tags = {kind.tag for kind in types if isinstance(kind, inspect.StructType)}
    assert {said.split()[0] for said in actions.names} - {"+", "done"} == tags


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("raminoo",), "no game raminoo"),
        (("ramino", 9), "players: these options admit 2 to 4"),
        (("ramino", 2, {"target": "x"}), r"options: Expected `int`, got `str` - at `\$.target`"),
        (("ramino", 2, {"targte": 3}), "unknown field `targte`"),
    ],
)
def test_what_there_is_not_is_refused_in_words(arguments: tuple[Any, ...], why: str) -> None:
    if "ramino" not in GAMES:
        pytest.fail("the game of these cases is gone")
    with pytest.raises(ValueError, match=why):
        env(*arguments)


@pytest.mark.parametrize("make", [env, parallel_env])
def test_a_reward_or_a_rendering_that_there_is_not_is_refused_in_words(make: Callable[..., object]) -> None:
    game = next(iter(GAMES))
    with pytest.raises(ValueError, match="reward: it is places or points, not point"):
        make(game, reward="point")
    with pytest.raises(ValueError, match="render_mode: it is ansi or human, not rgb_array"):
        make(game, render_mode="rgb_array")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"dealer": 5}, "dealer: there are 2 seats"),
        ({"seed": "xy"}, "options of the reset"),
        ({"previous": [[0, 0]]}, "previous: it ranks each of 2 seats once"),
    ],
)
def test_a_start_that_there_is_not_is_refused_in_words(options: dict[str, Any], why: str) -> None:
    table = env(GameName(next(iter(GAMES))), 2)
    with pytest.raises(ValueError, match=why):
        table.reset(options=options)


def test_an_action_that_the_mask_does_not_have_is_refused_and_changes_nothing() -> None:
    table = env(GameName(next(iter(GAMES))))
    table.reset(seed=1)
    agent = table.agent_selection
    mask = table.observe(agent)["action_mask"]
    with pytest.raises(ValueError, match="not among those of the mask"):
        table.step(int((1 - mask).argmax()))
    assert np.array_equal(table.observe(agent)["action_mask"], mask)


def test_points_are_rewarded_beyond_the_mean_with_the_sign_by_which_more_is_better() -> None:
    for name, game in GAMES.items():
        table, rng = env(GameName(name), reward="points"), Random(1)
        table.reset(seed=4)
        while not any(table.terminations.values()):
            play_on(table, rng)
        result = game.result(table.deal)
        assert result is not None
        signed = [-points if game.fewest_wins else points for points in result.points]
        mean = sum(signed) / len(signed)
        assert [table.rewards[agent] for agent in table.possible_agents] == [points - mean for points in signed]


def test_the_table_is_rendered_in_words_without_hands() -> None:
    for name in GAMES:
        table = env(GameName(name))
        table.reset(seed=1)
        assert (table.render() or "").startswith("It is seat_")


@pytest.mark.slow
def test_the_example_of_the_guide_plays_a_deal() -> None:
    deal, _ = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "environments.md").read_text(), re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(deal, namespace)
    assert not namespace["table"].agents


@pytest.mark.slow
def test_nothing_else_of_the_package_imports_what_the_extra_brings() -> None:
    program = (
        "import sys, locanda, locanda.client, locanda.games.choosing, services.terminal.__main__; "
        "print([name for name in ('gymnasium', 'numpy', 'pettingzoo', 'mcp') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"
