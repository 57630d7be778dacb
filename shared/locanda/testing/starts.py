"""Random fresh deals, and the positions that playing them leads to."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import strategies as st
from msgspec import Struct

from locanda.games.game import AnyGame, Ranking
from locanda.games.shuffling import shuffle
from locanda.testing.subject import Choose, GameSubject, options_of

SUBJECTS: dict[str, GameSubject] = {}
"""Games under test, by name; `suite.tests_of` adds them."""

COMMON_PLAYERS: dict[str, Choose] = {
    "random": lambda rng, _deal, moves: rng.choice(moves),
    "first": lambda _rng, _deal, moves: moves[0],
    "last": lambda _rng, _deal, moves: moves[-1],
}


@dataclass(frozen=True)
class AnyStart:
    """The start of a fresh deal: game, options, seed and so on, and the players who choose the moves."""

    name: str
    options: Struct
    seats: int
    dealer: int
    seed: bytes
    previous: Ranking | None
    players: tuple[str, ...]

    @property
    def subject(self) -> GameSubject:
        """The game under test."""
        return SUBJECTS[self.name]

    @property
    def game(self) -> AnyGame:
        """The game's functions."""
        return SUBJECTS[self.name].game

    @property
    def viewers(self) -> tuple[int | None, ...]:
        """All viewers: a spectator (None), and each seat."""
        return (None, *range(self.seats))

    def deal(self) -> Any:
        """Return the fresh deal."""
        return self.game.deal(self.options, self.seats, self.dealer, self.seed, shuffle, self.previous)

    def choose(self, rng: Random, deal: Any, moves: list[Any]) -> Any:
        """Return the move that the player on turn chooses."""
        turn: int | None = deal.turn
        assert turn is not None
        return (COMMON_PLAYERS | self.subject.players)[self.players[turn]](rng, deal, moves)


@st.composite
def starts(draw: st.DrawFn, name: str) -> AnyStart:
    """Draw options, number of players, dealer, seed, previous ranking and players."""
    subject = SUBJECTS[name]
    options = draw(options_of(subject.game.options))
    seats = draw(st.sampled_from(subject.game.seats(options)))
    seed = draw(st.integers(0, 2**16)).to_bytes(32, "big")
    order = draw(st.permutations(range(seats)))
    previous = draw(st.sampled_from([None, tuple((seat,) for seat in order)]))
    names = st.sampled_from([*COMMON_PLAYERS, *subject.players])
    players = draw(st.lists(names, min_size=seats, max_size=seats))
    return AnyStart(name, options, seats, draw(st.integers(0, seats - 1)), seed, previous, tuple(players))


@dataclass(frozen=True)
class DealStep:
    """A position, the move played in it, and the outcome."""

    deal: Any
    moves: list[Any]
    move: Any
    following: Any
    events: list[Any]


def played_moves(start: AnyStart) -> Iterable[DealStep]:
    """Play a deal to its end, and yield each step."""
    game, rng = start.game, Random(start.seed)
    deal = start.deal()
    while deal.turn is not None:
        moves = game.moves(deal)
        move = start.choose(rng, deal, moves)
        following, events = game.play(deal, move, shuffle)
        yield DealStep(deal, moves, move, following, events)
        deal = following


def deals(start: AnyStart) -> Iterable[Any]:
    """Yield each position from the fresh deal to the finished one."""
    yield start.deal()
    for played in played_moves(start):
        yield played.following


Law = Callable[[AnyStart], None]
LAWS: list[Law] = []
"""Laws that hold for every game from any start."""


def law(test: Law) -> Law:
    """Register a law."""
    LAWS.append(test)
    return test
