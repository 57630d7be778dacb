"""Counts what happens at tables on each day, for operators: by game, without names or tables."""

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
"""Events, and the numbers that they add to."""
_FIELDS = {field.name for field in fields(GameNumbers)}


class DayNumbers:
    """What this engine has counted and not stored yet."""

    def __init__(self) -> None:
        self._counted: Counter[str] = Counter()

    def note(self, outcome: str, transition: Transition) -> None:
        """Count what a transition has brought, if it was committed."""
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
        """Return what was counted since the last call."""
        found, self._counted = self._counted, Counter()
        return found

    def put_back(self, counted: Counter[str]) -> None:
        """Count again what could not be stored."""
        self._counted += counted


def day_of(now: int) -> str:
    """Return the day of a time in epoch milliseconds, in UTC."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


def by_game(stored: dict[str, int]) -> dict[str, GameNumbers]:
    """Return the stored numbers of a day by game; those of later releases are left out."""
    found: dict[str, dict[str, int]] = {}
    for field, number in stored.items():
        game, _, name = field.partition(" ")
        if name in _FIELDS:
            found.setdefault(game, {})[name] = number
    return {game: GameNumbers(**numbers) for game, numbers in sorted(found.items())}
