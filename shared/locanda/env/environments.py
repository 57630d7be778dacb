"""PettingZoo environments for one deal of any game: `env` (agents act in turn) and `parallel_env` (all act at once)."""

import copyreg
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias, cast, get_args

import numpy as np
from gymnasium import spaces
from msgspec import UNSET, Struct, UnsetType
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from locanda.env.actions import Actions, action_number
from locanda.env.encoding import Observation, encoding
from locanda.env.episode import Episode, RewardKind
from locanda.messages import AnyGameName, AnyOptions
from locanda.texts.words import view_words

RenderMode: TypeAlias = Literal["ansi", "human"]


def _unset() -> UnsetType:
    return UNSET


# Events may contain UNSET. Without this, pickle searches all modules for it, and SuperSuit's raise ImportError.
copyreg.pickle(UnsetType, lambda _: (_unset, ()))


class _Seats:
    """Base class of both environments, with the attributes that they share."""

    def __init__(self, episode: Episode, actions: int, render_mode: RenderMode | None) -> None:
        modes = get_args(RenderMode)
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode: it is {' or '.join(modes)}, not {render_mode}")
        self._episode = episode
        self.metadata: dict[str, Any] = {"name": f"locanda_{episode.game.name}", "render_modes": list(modes)}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(episode.players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._space(actions) for agent in self.possible_agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(actions) for agent in self.possible_agents
        }

    def _space(self, actions: int) -> spaces.Space[Any]:
        encoding = self._episode.encoding
        most = 1 if encoding.normalised else np.inf
        return spaces.Dict(
            {
                "observation": spaces.Box(-most, most, (len(encoding.names),), np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions; the mask says which of them are possible now."""
        return self.action_spaces[agent]

    @property
    def actions(self) -> Actions:
        """All actions by number, and the conversion of moves to actions."""
        return self._episode.encoding.actions

    @property
    def layout(self) -> Mapping[str, slice]:
        """The slice of each view field in `observation`.

        `chosen` counts how often each action has been taken for the current move.
        """
        return self._episode.encoding.layout

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the numbers in `observation`, by index."""
        return self._episode.encoding.names

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that change if actions or observations change. Save them with a trained net."""
        return self._episode.encoding.digest

    @property
    def deal(self) -> Any:  # noqa: ANN401  (of any game)
        """The deal with all hidden cards. Use it for evaluation, not for agents."""
        return self._episode.deal

    def view(self, agent: str) -> Any:  # noqa: ANN401  (of any game)
        """Return the agent's `View` of the deal; `observation` encodes it."""
        return self._episode.game.view(self._episode.deal, self._seat[agent])

    def legal_moves(self) -> list[Struct]:
        """Return the legal moves of the agent on turn, as structs of the game."""
        return self._episode.game.moves(self._episode.deal)

    def actions_of(self, move: Struct) -> list[int]:
        """Return the actions that spell a legal move of the agent on turn, for example to imitate an expert."""
        return self._episode.actions_of(move)

    def render(self) -> str | None:
        """Return the public view of the table in words. With `render_mode="human"`, print it and return None."""
        game, view = self._episode.game, self._episode.game.view(self._episode.deal, None)
        words = view_words(game.name, view, self.possible_agents, "en")
        seats = [f"{agent}: {tally}" for agent, tally in zip(self.possible_agents, words.seats, strict=True)]
        piles = [f"{pile}: {cards}" for pile, cards in words.piles.items()]
        text = "\n".join(filter(None, [words.turn, *seats, *piles, *words.facts]))
        if self.render_mode == "human":
            print(text, end="\n\n")
        return text if self.render_mode == "ansi" else None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def state(self) -> Any:  # noqa: ANN401  (as in PettingZoo)
        """Raise `NotImplementedError`: a state would show agents the hidden cards; use `deal` for evaluation."""
        raise NotImplementedError("hidden cards are in `deal` alone")


class DealEnv(_Seats, AECEnv[str, Observation, int]):
    """One deal as an AEC environment: the agents act in turn, and an episode ends when the deal is over."""

    def __init__(self, episode: Episode, render_mode: RenderMode | None = "ansi") -> None:
        """Use `locanda.env.env` instead, which creates the episode."""
        super().__init__(episode, len(episode.encoding.actions), render_mode)
        self.metadata["is_parallelizable"] = False

    @property
    def unwrapped(self) -> "DealEnv":
        """This environment; a wrapper has the wrapped environment here."""
        return self

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the cards. The same `seed` gives the same deals.

        `options` may set values that are random by default: the deal's `seed` (64 hexadecimal digits) and `dealer`.
        `previous` is the ranking of the previous deal, as lists of seats.
        """
        self._episode.begin(seed, options)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment]  # as PettingZoo itself does
        self._select()
        self._show()

    def _select(self) -> None:
        turn = self._episode.turn
        if turn is not None:
            self.agent_selection = self.possible_agents[turn]

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent."""
        return self._episode.observe(self._seat[agent])

    def step(self, action: int | None) -> None:
        """Take an action of the agent on turn. Raises `ValueError` for an action outside its mask.

        Afterwards `infos` holds, for each agent, the public `events` of this step.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type]  # accepts only None
            return
        if action is None:
            raise ValueError("None is for agents whose deal is over")
        events = self._episode.act(action_number(action))
        self.infos = {agent: {"events": events} for agent in self.agents}
        self._select()
        if self._episode.turn is None:
            self._end()
        self._show()

    def _end(self) -> None:
        self.rewards = dict(zip(self.agents, self._episode.rewards(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()


class _OrderedDealEnv(OrderEnforcingWrapper[str, Observation, int]):
    """PettingZoo's wrapper with a faster `last`, which calls the environment once instead of reading ten attributes."""

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:  # noqa: FBT001, FBT002
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self.env.last(observe)


class ParallelDealEnv(_Seats, ParallelEnv[str, Observation, int]):
    """One deal as a parallel environment. Each step takes an action of every agent; agents not on turn give `wait`."""

    def __init__(self, episode: Episode, render_mode: RenderMode | None = "ansi") -> None:
        """Use `locanda.env.parallel_env` instead, which creates the episode."""
        self.wait: Final = len(episode.encoding.actions)
        """The action of agents that are not on turn; it has the highest number."""
        super().__init__(episode, self.wait + 1, render_mode)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal the cards; see `DealEnv.reset`."""
        self._episode.begin(seed, options)
        self.agents = [*self.possible_agents]
        self._show()
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observe(agent) for agent in self.agents}

    def _observe(self, agent: str) -> Observation:
        seat = self._seat[agent]
        seen = self._episode.observe(seat)
        mask = np.append(seen["action_mask"], np.int8(seat != self._episode.turn))
        return Observation(observation=seen["observation"], action_mask=mask)

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the action of the agent on turn; ignore the actions of the others.

        Raises `ValueError` for an action outside its mask, and if the deal is over or `reset` was not called.
        """
        turn = self._episode.turn
        if turn is None or not self.agents:
            raise ValueError("the deal is over, or has not begun: reset")
        events = self._episode.act(action_number(actions[self.possible_agents[turn]]))
        over, agents = self._episode.turn is None, self.agents
        observed, rewards = self._observations(), self._episode.rewards()
        self.agents = [] if over else agents
        self._show()
        return (
            observed,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {"events": events} for agent in agents},
        )


def env(
    game: AnyGameName,
    players: int | None = None,
    options: AnyOptions | None = None,
    *,
    reward: RewardKind = "places",
    padded: bool = False,
    normalised: bool = False,
    render_mode: RenderMode | None = "ansi",
) -> DealEnv:
    """Return an AEC environment of a game, wrapped in PettingZoo's `OrderEnforcingWrapper`.

    - `players`: by default the fewest that the game allows.
    - `reward`, at the end of a deal: `places` spreads rewards evenly from 1 for the winner to -1 for the last; tied
      seats get their mean. `points` gives the points minus their mean, negated in games that fewest points win.
    - `padded`: observations have the same size for any number of players.
    - `normalised`: all numbers of an observation lie between -1 and 1.

    Raises `ValueError` for an invalid argument.
    """
    chosen = encoding(game, players, options, padded=padded, normalised=normalised)
    ordered = _OrderedDealEnv(DealEnv(Episode(chosen, reward), render_mode))
    return cast("DealEnv", ordered)  # the wrapper has all public attributes of the environment


def parallel_env(
    game: AnyGameName,
    players: int | None = None,
    options: AnyOptions | None = None,
    *,
    reward: RewardKind = "places",
    padded: bool = False,
    normalised: bool = False,
    render_mode: RenderMode | None = "ansi",
) -> ParallelDealEnv:
    """Return an environment in which all agents act at each step. The arguments are the same as for `env`."""
    chosen = encoding(game, players, options, padded=padded, normalised=normalised)
    return ParallelDealEnv(Episode(chosen, reward), render_mode)
