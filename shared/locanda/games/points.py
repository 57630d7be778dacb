"""Points and rankings of seats and of sides; a side is a team of two, or a single seat."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from locanda.games.base import Result
from locanda.games.game import Ranking


def rank_by_points(points: Sequence[int], *, fewest_wins: bool = False) -> Ranking:
    """Return the seats grouped by points, best first."""
    tallies = sorted(set(points), reverse=not fewest_wins)
    return tuple(tuple(seat for seat, own in enumerate(points) if own == tally) for tally in tallies)


# --- two against two


def sides(players: int) -> tuple[tuple[int, ...], ...]:
    """Return the sides: with four players, opposite seats are partners; otherwise each seat is a side."""
    return ((0, 2), (1, 3)) if players == 4 else tuple((seat,) for seat in range(players))


def by_side(captured: Sequence[int]) -> dict[tuple[int, ...], int]:
    """Return the captured cards of each side as a bit set."""
    return {side: sum(captured[seat] for seat in side) for side in sides(len(captured))}


def most_of_sides(captured: Sequence[int], value: Callable[[int], int]) -> tuple[int, ...]:
    """Return the side whose captured cards have the highest value by `value`; an empty tuple for a tie."""
    values = {side: value(held) for side, held in by_side(captured).items()}
    first, second = sorted(values, key=values.__getitem__, reverse=True)[:2]
    return first if values[first] > values[second] else ()


def result_of_sides(points: Sequence[int], players: int) -> Result:
    """Return the result of a deal from the points of each side."""
    by_seat = tuple(points[seat % len(points)] for seat in range(players))
    return Result(rank_by_points(by_seat), by_seat, teams=sides(players) if players == 4 else UNSET)


def target_reached(options: Any, _deals: int, points: Sequence[int]) -> bool:  # noqa: ANN401  (any options with `target`)
    """Return whether a single side has the most points, and at least `target`: the `match_over` of games with sides."""
    most = max(points)
    return bool(most >= options.target) and points.count(most) == len(sides(len(points))[0])
