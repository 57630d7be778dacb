"""Daily statistics for operators: counts of tables and moves by game, without names or tables."""

from collections import Counter
from datetime import UTC, datetime

from msgspec.structs import fields

from locanda.messages.administration import GameNumbers
from services.engine.table.state import MoveMade, Transition

COUNTED = {
    "opened": "tables_opened",
    "started": "matches_started",
    "match_over": "matches_finished",
    "timed_out": "turns_timed_out",
}
"""Names of the statistics that an event increments, by the event's type."""
_FIELDS = {field.name for field in fields(GameNumbers)}


class DayNumbers:
    """Counts of this engine that are not stored yet."""

    def __init__(self) -> None:
        self._counted: Counter[str] = Counter()

    def note(self, outcome: str, transition: Transition) -> None:
        """Count the events and moves of a committed transition."""
        if outcome != "committed":
            return
        game = transition.table.game
        for event in transition.table.events:
            if number := COUNTED.get(event["type"]):
                self._counted[f"{game} {number}"] += 1
            if event["type"] == "opened" or (event["type"] == "sat" and event["kind"] == "person"):
                self._counted[f"{game} seats_taken"] += 1
        moves = len([line for line in transition.log if isinstance(line.entry, MoveMade)])
        if moves:
            self._counted[f"{game} moves"] += moves

    def taken(self) -> Counter[str]:
        """Return the counts since the last call, and reset them."""
        counted, self._counted = self._counted, Counter()
        return counted

    def put_back(self, counted: Counter[str]) -> None:
        """Add counts back that could not be stored."""
        self._counted += counted


def day_of(now: int) -> str:
    """Return the UTC day of a time in epoch milliseconds."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


def by_game(stored: dict[str, int]) -> dict[str, GameNumbers]:
    """Return a day's stored counts by game. Counts unknown to this release are left out."""
    numbers_by_game: dict[str, dict[str, int]] = {}
    for field, number in stored.items():
        game, _, name = field.partition(" ")
        if name in _FIELDS:
            numbers_by_game.setdefault(game, {})[name] = number
    return {game: GameNumbers(**numbers) for game, numbers in sorted(numbers_by_game.items())}
