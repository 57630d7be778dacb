"""An episode: one deal of any game, played action by action. `DealEnv` and `ParallelDealEnv` use it."""

import secrets
from collections.abc import Mapping
from random import Random
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import Struct

from locanda.env.actions import Choice
from locanda.env.encoding import Encoding, Observation, converted
from locanda.games.base import Result, Seed
from locanda.games.game import AnyGame, Ranking
from locanda.games.shuffling import shuffle

RewardKind: TypeAlias = Literal["places", "points"]


class Start(Struct, frozen=True):
    """The options of `reset`. Missing values are random; unknown keys are ignored, as PettingZoo requires."""

    seed: Seed | None = None
    """The deal's seed, in the form of proofs: an engine deals the same cards from it."""
    dealer: int | None = None
    previous: Ranking | None = None
    """Ranking of the previous deal, for games that need it."""


class Episode:
    """The current deal, and the actions chosen so far for the current move."""

    def __init__(self, encoding: Encoding, reward: RewardKind) -> None:
        """Raise `ValueError` for an unknown kind of reward."""
        if reward not in get_args(RewardKind):
            raise ValueError(f"reward: it is {' or '.join(get_args(RewardKind))}, not {reward}")
        self.encoding: Final = encoding
        self._reward = reward
        self._rng = Random(secrets.token_bytes(32))  # noqa: S311  (these deals need no secrecy)
        self.begin(None, None)

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.encoding.game

    @property
    def players(self) -> int:
        """The number of players."""
        return self.encoding.players

    def begin(self, seed: int | None, start: Mapping[str, object] | None) -> None:
        """Deal the cards. Raises `ValueError` for invalid options."""
        if seed is not None:
            self._rng = Random(seed)  # noqa: S311
        drawn, dealer = self._rng.randbytes(32), self._rng.randrange(self.players)
        start_options = converted(start or {}, Start, "options of the reset")
        dealer = dealer if start_options.dealer is None else start_options.dealer
        if not 0 <= dealer < self.players:
            raise ValueError(f"dealer: there are {self.players} seats, counted from 0")
        ranked = sorted(seat for tied in start_options.previous or () for seat in tied)
        if start_options.previous is not None and ranked != list(range(self.players)):
            raise ValueError(f"previous: it ranks each of {self.players} seats once")
        cards = drawn if start_options.seed is None else bytes.fromhex(start_options.seed)
        self.lay(self.game.deal(self.encoding.options, self.players, dealer, cards, shuffle, start_options.previous))

    def lay(self, deal: Any) -> None:  # noqa: ANN401  (of any game)
        """Replace the current deal, and discard the actions chosen so far."""
        self.deal: Any = deal
        self.choice = Choice(self.encoding.actions, self.game.moves(deal))

    @property
    def turn(self) -> int | None:
        """The seat on turn, None once the deal is over."""
        turn: int | None = self.deal.turn
        return turn

    def act(self, action: int) -> list[Struct]:
        """Take an action on turn; return the events of a complete move. Raises `ValueError` outside the mask."""
        move = self.choice.take(action)
        if move is None:
            return []
        next_deal, events = self.game.play(self.deal, move, shuffle)
        self.lay(next_deal)
        return events

    def actions_of(self, move: Struct) -> list[int]:
        """Return the actions that spell a legal move, from the start of the turn, or raise `ValueError`."""
        choice, spelt, taken = (
            Choice(self.encoding.actions, self.game.moves(self.deal)),
            self.encoding.actions.spell(move),
            list[int](),
        )
        while True:
            taken.append(spelt[len(choice.chosen)])
            if choice.take(taken[-1]) is not None:
                return taken

    # --- observations

    def observe(self, seat: int) -> Observation:
        """Return a seat's observation. The mask is all zero unless the seat is on turn."""
        return self.encoding.observe(self.game.view(self.deal, seat), self.choice if seat == self.deal.turn else None)

    def rewards(self) -> list[float]:
        """Return the reward of each seat; all are 0 until the deal is over."""
        result = self.game.result(self.deal)
        if result is None:
            return [0.0] * self.players
        return _of_places(result, self.players) if self._reward == "places" else self._of_points(result)

    def _of_points(self, result: Result) -> list[float]:
        mean, sign = sum(result.points) / self.players, -1 if self.game.fewest_wins else 1
        return [sign * (points - mean) for points in result.points]


def _of_places(result: Result, players: int) -> list[float]:
    """Return rewards spread evenly from 1 for the first place to -1 for the last; tied seats get their mean."""
    rewards, place = [0.0] * players, 0
    for tied in result.ranking:
        first, last = (1 - 2 * place_taken / (players - 1) for place_taken in (place, place + len(tied) - 1))
        for seat in tied:
            rewards[seat] = (first + last) / 2
        place += len(tied)
    return rewards
