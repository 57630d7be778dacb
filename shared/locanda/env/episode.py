"""An episode: a deal of any game, played action by action. Both environments are made of it."""

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
    """What a deal is made of besides the options; what is left out is drawn. PettingZoo wants further keys ignored."""

    seed: Seed | None = None
    """The deal's seed, as in a proof: the same cards are dealt as by an engine."""
    dealer: int | None = None
    previous: Ranking | None = None
    """The ranking of the deal before, for games in which it counts."""


class Episode:
    """A deal of a game for some players, and what the seat on turn has chosen of its move."""

    def __init__(self, encoding: Encoding, reward: RewardKind) -> None:
        """Raise `ValueError` for a kind of reward that there is not."""
        if reward not in get_args(RewardKind):
            raise ValueError(f"reward: it is {' or '.join(get_args(RewardKind))}, not {reward}")
        self.encoding: Final = encoding
        self._reward = reward
        self._rng = Random(secrets.token_bytes(32))  # noqa: S311  (nobody keeps these deals secret)
        self.begin(None, None)

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.encoding.game

    @property
    def players(self) -> int:
        """How many play."""
        return self.encoding.players

    def begin(self, seed: int | None, start: Mapping[str, object] | None) -> None:
        """Deal the cards. Raises `ValueError` for a start that there is not."""
        if seed is not None:
            self._rng = Random(seed)  # noqa: S311
        drawn, dealer = self._rng.randbytes(32), self._rng.randrange(self.players)
        given = converted(start or {}, Start, "options of the reset")
        dealer = dealer if given.dealer is None else given.dealer
        if not 0 <= dealer < self.players:
            raise ValueError(f"dealer: there are {self.players} seats, counted from 0")
        ranked = sorted(seat for tied in given.previous or () for seat in tied)
        if given.previous is not None and ranked != list(range(self.players)):
            raise ValueError(f"previous: it ranks each of {self.players} seats once")
        cards = drawn if given.seed is None else bytes.fromhex(given.seed)
        self.lay(self.game.deal(self.encoding.options, self.players, dealer, cards, shuffle, given.previous))

    def lay(self, deal: Any) -> None:  # noqa: ANN401  (any game's)
        """Put a deal of the game on the table."""
        self.deal: Any = deal
        """The deal, hidden cards included."""
        self.choice = Choice(self.encoding.actions, self.game.moves(deal))

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
        choice, spelt, taken = (
            Choice(self.encoding.actions, self.game.moves(self.deal)),
            self.encoding.actions.spell(move),
            list[int](),
        )
        while True:
            taken.append(spelt[len(choice.chosen)])
            if choice.take(taken[-1]) is not None:
                return taken

    # --- what a seat observes

    def observe(self, seat: int) -> Observation:
        """Return what a seat observes. The mask is empty unless it is on turn."""
        return self.encoding.observe(self.game.view(self.deal, seat), self.choice if seat == self.deal.turn else None)

    def rewards(self) -> list[float]:
        """Return the reward of each seat: 0 before the deal is over."""
        result = self.game.result(self.deal)
        if result is None:
            return [0.0] * self.players
        return _of_places(result, self.players) if self._reward == "places" else self._of_points(result)

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
