"""Every move there is, made once: legal moves are looked up by card and bit set of targets."""

from services.engine.games.diavoletto.cards import CODES, JOKER
from services.engine.games.diavoletto.state import COLUMNS, MOST_BUILDS
from services.engine.games.diavoletto.targets import NEW
from shared.games.diavoletto import Build, Discard, End, Source


def _builds(source: Source, column: int | None = None) -> tuple[dict[int, tuple[Build, ...]], ...]:
    return tuple(_builds_of(card, source, column) for card in range(len(CODES)))


def _builds_of(card: int, source: Source, column: int | None) -> dict[int, tuple[Build, ...]]:
    """Only a joker has several builds to go to, but none to open."""
    goals = range(1 << MOST_BUILDS) if card == JOKER else (0, *(1 << goal for goal in range(NEW + 1)))
    moves = [Build(source, CODES[card], column, None if goal == NEW else goal) for goal in range(NEW + 1)]
    return {bits: tuple(move for goal, move in enumerate(moves) if bits >> goal & 1) for bits in goals}


FROM_HAND = _builds("hand")
FROM_PILES = (_builds("mazzetto"), *(_builds("column", column) for column in range(COLUMNS)))
"""From the mazzetto, and from each column."""

DISCARDS = tuple(
    tuple(
        tuple(Discard(code, column) for column in range(COLUMNS) if columns >> column & 1)
        for columns in range(1 << COLUMNS)
    )
    for code in CODES
)

END = End()
