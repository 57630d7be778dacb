"""Matches between computer players: the same deals with rotated seats, and confidence intervals.

A *bout* is one match (one deal in most games), played once from each seat by the first player against copies of the
second. Bouts are independent, so the intervals are taken over bouts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import sqrt
from random import Random
from time import process_time
from typing import Any, TypeAlias

import msgspec

from locanda.games import choosing
from locanda.games.base import Result
from locanda.games.game import AnyGame, Ranking
from locanda.games.players import AnySituation, Budget, Situation
from locanda.games.points import rank_by_points
from locanda.games.rules import GAMES
from services.engine.table.fairness import shuffle
from tests.bench.opponents import OPPONENTS


@dataclass(frozen=True, slots=True)
class Turn:
    """A deal at a seat's turn.

    Honest players see only its `situation`; the agents `cheat` and `peek` see the whole deal.
    """

    game: AnyGame
    deal: Any
    history: tuple[Any, ...]

    @property
    def situation(self) -> AnySituation:
        """The knowledge of the seat on turn."""
        return Situation(self.game.view(self.deal, self.deal.turn), self.history)

    def after(self, move: Any) -> "Turn":
        """Return the deal after a move."""
        deal, events = self.game.play(self.deal, move, shuffle)
        return Turn(self.game, deal, (*self.history, *events))


Agent: TypeAlias = Callable[[Turn, Random], Any]
"""A function that chooses a move on a turn."""


def agent(name: str) -> Agent:
    """Return an agent by name.

    - `chance` plays a random legal move.
    - `plain` plays a random one of the moves with the highest `eagerness`.
    - `easy`, `medium` and `hard` are the levels. `hard:200ms` limits processor time, and `hard:500` iterations.
    - `simple` follows the rules of thumb in `opponents`.
    - `flat:200ms` searches as in games that have no players of their own.
    - `cheat` sees every card. So does `peek:60`, which searches 60 lines.
    """
    level, _, budget = name.partition(":")
    match level:
        case "easy" | "medium" | "hard":
            return lambda turn, rng: choosing.choose(turn.game, turn.situation, level, rng, budget_of(budget)).move
        case "flat":
            return lambda turn, rng: flat(turn, rng, budget_of(budget))
        case "peek":
            return lambda turn, rng: peek(turn, rng, int(budget))
        case _:
            return WITHOUT_BUDGET[level]


def flat(turn: Turn, rng: Random, budget: Budget) -> Any:
    """Choose by random play-outs in hidden deals that agree with the view, as in games without their own players."""
    moves = choosing.legal_moves(turn.game, turn.situation)
    if len(moves) == 1:
        return moves[0]
    budget.begin()
    return choosing.players_for(turn.game).weigh(turn.situation, moves, rng, budget).best


def cheat(turn: Turn, rng: Random) -> Any:
    """Choose with all cards known: play out each move in the real deal, with `medium` on all seats.

    This is an upper bound: no honest player can be expected to win more often against `medium`.
    """
    seat, moves = turn.deal.turn, turn.game.moves(turn.deal)
    if len(moves) == 1:
        return moves[0]
    chance = rng.random()
    values = [worth(played_out(turn.after(move), Random(chance)), seat) for move in moves]
    return moves[values.index(max(values))]


DETOURS = 0.3
"""The probability that a line of `peek` deviates from `medium` at a move."""


def peek(turn: Turn, rng: Random, lines: int) -> Any:
    """Choose with all cards known, against opponents that play as `medium`: the first move of the best line.

    The lines begin with each move in turn. The first lines continue as those of `cheat`; later lines deviate at random.
    """
    seat, moves = turn.deal.turn, turn.game.moves(turn.deal)
    if len(moves) == 1:
        return moves[0]
    best, first = (-1.0, 0), moves[0]
    for line in range(max(lines, len(moves))):
        move = moves[line % len(moves)]
        ends = played_out(turn.after(move), Random(rng.random()), seat if line >= len(moves) else None)
        value = worth(ends, seat)
        if value > best or line == 0:
            best, first = value, move
    return first


def played_out(turn: Turn, rng: Random, straying: int | None = None) -> Result:
    """Play a deal to its end with `medium` on all seats. One seat may deviate from `medium` at random."""
    medium = agent("medium")
    while (seat := turn.deal.turn) is not None:
        strays = seat == straying and rng.random() < DETOURS
        turn = turn.after(rng.choice(turn.game.moves(turn.deal)) if strays else medium(turn, rng))
    return turn.game.score(turn.deal)


def worth(result: Result, seat: int) -> tuple[float, int]:
    """Return a seat's share of the win, and its place as a number. Better places have higher numbers."""
    place = next(place for place, tied in enumerate(result.ranking) if seat in tied)
    return (1 / len(result.ranking[0]) if place == 0 else 0.0), -place


WITHOUT_BUDGET: dict[str, Agent] = {
    "chance": lambda turn, rng: rng.choice(choosing.legal_moves(turn.game, turn.situation)),
    "plain": lambda turn, rng: choosing.choose_plainly(turn.game, turn.situation.view, rng),
    "simple": lambda turn, _: OPPONENTS[turn.game.name](
        turn.situation, choosing.legal_moves(turn.game, turn.situation)
    ),
    "cheat": cheat,
}


def budget_of(text: str) -> Budget:
    """Parse a budget: `200ms` (processor time) or `500` (iterations). Empty text is the budget at tables, 200 ms."""
    if text.endswith("ms"):
        return Budget(cpu_milliseconds=float(text.removesuffix("ms")))
    return Budget(iterations=int(text)) if text else Budget(cpu_milliseconds=200)


def play_deal(game: AnyGame, options: Any, seed: int, agents: Sequence[Agent], dealer: int = 0) -> Result:
    """Play one deal.

    The cards and the previous ranking depend only on the seed. The players' choices also depend on the seat.

    The ranking decides who owes a tax in Presidente; other games do not use it.
    """
    return next(_deals(game, options, seed, agents, dealer))


def _deals(game: AnyGame, options: Any, seed: int, agents: Sequence[Agent], dealer: int) -> Iterator[Result]:
    """Yield the deals of a match as they are played, without end."""
    players, cards = range(len(agents)), Random(seed)
    order = Random(f"{seed} ranking").sample(players, len(agents))
    previous: Ranking = tuple((seat,) for seat in order)
    chances = [Random(f"{seed} {seat}") for seat in players]
    for number in count(dealer):
        turn = Turn(
            game, game.deal(options, len(agents), number % len(agents), cards.randbytes(32), shuffle, previous), ()
        )
        while (seat := turn.deal.turn) is not None:
            turn = turn.after(agents[seat](turn, chances[seat]))
        result = game.score(turn.deal)
        previous = result.ranking
        yield result


def play_match(game: AnyGame, options: Any, seed: int, agents: Sequence[Agent], dealer: int = 0) -> list[Result]:
    """Play one match, and return the results of its deals."""
    played, points = list[Result](), [0] * len(agents)
    for result in _deals(game, options, seed, agents, dealer):
        played.append(result)
        points = [had + won for had, won in zip(points, result.points, strict=True)]
        if game.match_over(options, len(played), points):
            break
    return played


def match_result(game: AnyGame, played: Sequence[Result]) -> Result:
    """Return the result of a match: the sum of its deals, or the result of its only deal."""
    if len(played) == 1:
        return played[0]
    points = tuple(sum(of_seat) for of_seat in zip(*(result.points for result in played), strict=True))
    return Result(rank_by_points(points, fewest_wins=game.fewest_wins), points)


@dataclass(slots=True)
class Tally:
    """The results of the first player in its bouts."""

    shares: list[float] = field(default_factory=list)
    """The first player's share of the match in each bout, from 0 to 1."""
    won: list[float] = field(default_factory=list)
    """The first player's share of the deals in each bout."""
    points: list[float] = field(default_factory=list)
    """The first player's points per deal minus the mean of the other players', in each bout."""
    deals: int = 0
    seconds: float = 0.0

    def add(self, other: "Tally") -> None:
        """Append the results of later bouts."""
        self.shares += other.shares
        self.won += other.won
        self.points += other.points
        self.deals += other.deals
        self.seconds += other.seconds

    def __str__(self) -> str:
        share, won, points = interval(self.shares), interval(self.won), interval(self.points)
        return (
            f"{share[0]:.3f} ± {share[1]:.3f} of the matches, {won[0]:.3f} ± {won[1]:.3f} of the deals, "
            f"{points[0]:+.2f} ± {points[1]:.2f} points a deal, "
            f"{len(self.shares)} bouts, {self.deals} deals, {self.seconds:.0f} s"
        )


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of these values and the half width of its 95 % interval."""
    count = len(values)
    mean = sum(values) / count
    spread = sum((value - mean) ** 2 for value in values) / max(1, count - 1)
    return mean, 1.96 * sqrt(spread / count)


def bout(game: AnyGame, options: Any, seed: int, first: Agent, second: Agent, seats: int) -> Tally:
    """Play one match with the first player on each seat, and return the mean results of this bout."""
    shares, won, leads = list[float](), list[float](), list[float]()
    for own in range(seats):
        agents = [first if seat == own else second for seat in range(seats)]
        played = play_match(game, options, seed, agents, dealer=seed % seats)
        shares.append(worth(match_result(game, played), own)[0])
        won += [worth(result, own)[0] for result in played]
        for result in played:
            others = [points for seat, points in enumerate(result.points) if seat != own]
            leads.append(result.points[own] - sum(others) / len(others))
    return Tally([_mean(shares)], [_mean(won)], [_mean(leads)], len(won))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def compare(
    name: str,
    first: str,
    second: str,
    bouts: int,
    *,
    seats: int = 2,
    options: dict[str, Any] | None = None,
    base: int = 0,
) -> Tally:
    """Play bouts between two agents, given by name. `base` is the seed of the first deal."""
    game = GAMES[name]
    chosen = msgspec.convert(options or {}, game.options)
    ours, theirs = agent(first), agent(second)
    tally, start = Tally(), process_time()
    for number in range(bouts):
        tally.add(bout(game, chosen, base + number, ours, theirs, seats))
    tally.seconds = process_time() - start
    return tally


if __name__ == "__main__":
    import sys

    GAME_NAME, FIRST, SECOND, BOUTS, *REST = sys.argv[1:]
    SEATS = int(REST[0]) if REST else 2
    OPTIONS = msgspec.json.decode(REST[1]) if len(REST) > 1 else {}
    BASE = int(REST[2]) if len(REST) > 2 else 0
    print(compare(GAME_NAME, FIRST, SECOND, int(BOUTS), seats=SEATS, options=OPTIONS, base=BASE))
