"""An episode: a deal of any game, played action by action. Both environments are made of it."""

import secrets
from collections.abc import Mapping
from random import Random
from typing import Any, Final, Literal, TypeAlias, TypedDict

import msgspec
import numpy as np
from gymnasium import spaces
from msgspec import Struct
from numpy.typing import NDArray

from locanda.env.actions import Actions, Choice
from locanda.env.observations import Observations
from locanda.games.base import Result, Seed
from locanda.games.game import AnyGame, Ranking
from locanda.games.rules import GAMES
from locanda.games.shuffling import shuffle
from locanda.messages import AnyGameName, AnyOptions

Mask: TypeAlias = NDArray[np.int8]
RewardKind: TypeAlias = Literal["places", "points"]


class Observation(TypedDict):
    """What an agent observes: its seat's view as numbers with what it has chosen of its move, and what it may do."""

    observation: NDArray[np.float32]
    action_mask: Mask


class Start(Struct, frozen=True):
    """What a deal is made of besides the options; what is left out is drawn. PettingZoo wants further keys ignored."""

    seed: Seed | None = None
    """The deal's seed, as in a proof: the same cards are dealt as by an engine."""
    dealer: int | None = None
    previous: Ranking | None = None
    """The ranking of the deal before, for games in which it counts."""


class Episode:
    """A deal of a game for some players, and what the seat on turn has chosen of its move."""

    def __init__(self, game: AnyGameName, players: int | None, options: AnyOptions | None) -> None:
        """Raise `ValueError` for a game, options or a number of players that there is not."""
        if game not in GAMES:
            raise ValueError(f"there is no game {game}: {', '.join(GAMES)}")
        self.game: Final[AnyGame] = GAMES[game]
        self._options = _converted(options or {}, self.game.options, "options")
        admitted = self.game.seats(self._options)
        self.players: Final = min(admitted) if players is None else players
        if self.players not in admitted:
            raise ValueError(f"players: these options admit {min(admitted)} to {max(admitted)}")
        self.actions: Final = Actions(self.game)
        self._rng = Random(secrets.token_bytes(32))  # noqa: S311  (nobody keeps these deals secret)
        self.begin(None, None)
        self._views = Observations(self.game, self.deal)
        chosen = len(self.actions) if self.actions.have_lists else 0
        self.layout: Final = {**self._views.layout, "chosen": slice(self._views.size, self._views.size + chosen)}

    def begin(self, seed: int | None, start: Mapping[str, object] | None) -> None:
        """Deal the cards. Raises `ValueError` for a start that there is not."""
        if seed is not None:
            self._rng = Random(seed)  # noqa: S311
        drawn, dealer = self._rng.randbytes(32), self._rng.randrange(self.players)
        given = _converted(start or {}, Start, "options of the reset")
        dealer = dealer if given.dealer is None else given.dealer
        if not 0 <= dealer < self.players:
            raise ValueError(f"dealer: there are {self.players} seats, counted from 0")
        ranked = sorted(seat for tied in given.previous or () for seat in tied)
        if given.previous is not None and ranked != list(range(self.players)):
            raise ValueError(f"previous: it ranks each of {self.players} seats once")
        cards = drawn if given.seed is None else bytes.fromhex(given.seed)
        self.lay(self.game.deal(self._options, self.players, dealer, cards, shuffle, given.previous))

    def lay(self, deal: Any) -> None:  # noqa: ANN401  (any game's)
        """Put a deal of the game on the table."""
        self.deal: Any = deal
        """The deal, hidden cards included."""
        self.choice = Choice(self.actions, self.game.moves(deal))

    @property
    def turn(self) -> int | None:
        """The seat to act, None once the deal is over."""
        turn: int | None = self.deal.turn
        return turn

    def act(self, action: int) -> list[Struct]:
        """Take an action of the seat on turn; return what happened, nothing while the move is not certain.

        Raises `ValueError` for an action that the mask does not have.
        """
        move = self.choice.take(action)
        if move is None:
            return []
        after, events = self.game.play(self.deal, move, shuffle)
        self.lay(after)
        return events

    def actions_of(self, move: Struct) -> list[int]:
        """Return the actions that say a legal move, from its first one. Raises `ValueError` for another move."""
        choice, spelt, taken = Choice(self.actions, self.game.moves(self.deal)), self.actions.spell(move), list[int]()
        while True:
            taken.append(spelt[len(choice.chosen)])
            if choice.take(taken[-1]) is not None:
                return taken

    # --- what a seat observes

    def observation_space(self, actions: int) -> spaces.Space[Any]:
        """Return the space of every seat's observations, with a mask of so many actions."""
        size = self.layout["chosen"].stop
        return spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (size,), np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )

    def observe(self, seat: int) -> Observation:
        """Return what a seat observes. The mask is empty unless it is on turn."""
        numbers = self._views.array(self.game.view(self.deal, seat), self.layout["chosen"].stop)
        mask = np.zeros(len(self.actions), np.int8)
        if seat == self.deal.turn:
            mask[self.choice.options] = 1
            if self.actions.have_lists:
                np.add.at(numbers[self.layout["chosen"]], [*self.choice.chosen], 1)
        return Observation(observation=numbers, action_mask=mask)

    def rewards(self, kind: RewardKind) -> list[float]:
        """Return the reward of each seat: 0 before the deal is over."""
        result = self.game.result(self.deal)
        if result is None:
            return [0.0] * self.players
        return _of_places(result, self.players) if kind == "places" else self._of_points(result)

    def _of_points(self, result: Result) -> list[float]:
        mean, sign = sum(result.points) / self.players, -1 if self.game.fewest_wins else 1
        return [sign * (points - mean) for points in result.points]


def _of_places(result: Result, players: int) -> list[float]:
    """Return 1 for the first place to -1 for the last, spread evenly; those who tie share theirs."""
    rewards, place = [0.0] * players, 0
    for tied in result.ranking:
        first, last = (1 - 2 * each / (players - 1) for each in (place, place + len(tied) - 1))
        for seat in tied:
            rewards[seat] = (first + last) / 2
        place += len(tied)
    return rewards


def _converted(given: object, kind: Any, what: str) -> Any:  # noqa: ANN401  (types)
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{what}: {error}") from None
