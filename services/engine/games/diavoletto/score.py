"""Who wins a deal, and the points for it."""

from locanda.games.base import Result
from services.engine.games.diavoletto.state import DealState


def score(deal: DealState) -> Result:
    """Rank the seats: an empty mazzetto wins; in a deadlock the shorter one, or nobody (ruling D12)."""
    left = [len(mazzetto) for mazzetto in deal.mazzetti]
    emptied = 0 in left
    if left[0] == left[1] or (deal.options.deadlock == "draw" and not emptied):
        return Result(((0, 1),), (0, 0), "deadlock")
    winner = int(left[1] < left[0])
    points = left[1 - winner] if deal.options.score == "cards_left" else 1
    return Result(
        ((winner,), (1 - winner,)), (0, points) if winner else (points, 0), "emptied" if emptied else "deadlock"
    )
