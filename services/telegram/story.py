"""What a table's events add up to: the last acts, since when a turn lasts, and which ends of deals are to be told."""

from collections import deque

import msgspec
from msgspec import Struct

from shared.games.base import Result
from shared.messages import EventItem, JsonObject, Table

KEPT = 12


class DealEnd(Struct, frozen=True):
    """A deal that ended within its match."""

    deal: int
    result: Result
    table: Table
    """As it stood right after, the next deal on it."""
    event: JsonObject
    """What the game itself tells of the end."""


class Story:
    """The story of a table as far as it has been followed."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self._acts: deque[JsonObject] = deque(maxlen=KEPT)
        self.since = 0
        """The version at which the turn came to whoever is on turn."""

    @property
    def acts(self) -> tuple[JsonObject, ...]:
        """The last acts of the deal under way, oldest first."""
        return tuple(self._acts)

    def follow(self, item: EventItem) -> list[DealEnd]:
        """Take in what happened next; return the ends of deals to be told."""
        before, self.table = self.table, item.table
        if before is not None and before.id == item.table.id and item.id <= before.version:
            self.table = before
            return []
        ends = [self._take(event) for event in item.table.events]
        dealt = any(event.get("type") == "dealt" for event in item.table.events)
        if dealt or before is None or _turn(before) != _turn(item.table):
            self.since = item.id
        return [end for end in ends if end is not None]

    def _take(self, event: JsonObject) -> DealEnd | None:
        if event.get("type") == "dealt":
            self._acts.clear()
        self._acts.append(event)
        table = self.table
        if event.get("type") != "deal_over" or table is None or table.match.result is not None:
            return None
        return DealEnd(table.match.deal - 1, msgspec.convert(event["result"], Result), table, event)

    def look(self, table: Table) -> None:
        """Take in the table as it stands, where that is news."""
        if self.table is None or table.version > self.table.version:
            if self.table is None or _turn(self.table) != _turn(table):
                self.since = table.version
            self.table = table


def _turn(table: Table) -> tuple[int, int, int | None]:
    """Return whose turn it is, in which deal."""
    return table.match.number, table.match.deal, None if table.deal is None else table.deal.turn
