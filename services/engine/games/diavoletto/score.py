"""Who wins a deal, and the points for it."""

from collections.abc import Sequence

from services.engine.games.diavoletto.state import Deal
from shared.games.base import Result
from shared.games.diavoletto import Options


def result(deal: Deal) -> Result | None:
    """Return ranking and points once the deal is over, else nothing."""
    return score(deal) if deal.turn is None else None


def score(deal: Deal) -> Result:
    """Rank the seats: an empty mazzetto wins; in a deadlock the shorter one, unless nobody is to (ruling D12)."""
    left = [len(mazzetto) for mazzetto in deal.mazzetti]
    emptied = 0 in left
    if left[0] == left[1] or (deal.options.deadlock == "draw" and not emptied):
        return Result(((0, 1),), (0, 0), "deadlock")
    winner = int(left[1] < left[0])
    points = left[1 - winner] if deal.options.score == "cards_left" else 1
    return Result(
        ((winner,), (1 - winner,)), (0, points) if winner else (points, 0), "emptied" if emptied else "deadlock"
    )


def match_over(options: Options, deals: int, _points: Sequence[int]) -> bool:
    """Tell whether the match has had all its deals."""
    return deals >= options.deals
