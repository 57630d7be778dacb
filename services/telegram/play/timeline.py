"""Timeline of a table, built from the engine's events: current state, last turns, ended matches. No I/O."""

from collections import deque
from collections.abc import Container, Sequence

import msgspec
from msgspec import Struct, structs

from locanda.messages import EventItem, JsonObject, SaidRemark, Table

SHOWN_WITH_THE_RESULT = {"rematch_answered", "awaited"}
"""Types of events shown with a match's result and not in a turn."""
KEPT_TURNS = 24
"""Number of turns to keep: more than any game has seats, so that players see all turns since their own last turn."""


REMARK = "remark"
"""The type under which remarks are added to the events."""


class PlayedTurn(Struct, frozen=True):
    """Events while one seat was on turn."""

    seat: int | None
    """The seat; None before the first turn of a deal."""
    events: tuple[JsonObject, ...]


class Timeline:
    """The state of one table after the events applied so far."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.turn_since = 0
        """The version at which the current turn began."""
        self.over: dict[int, Table] = {}
        """The table at the end of each match, by match number, with the match's last events."""
        self.said: dict[int, SaidRemark] = {}
        """The last remark of each seat since the end of the match."""
        self._applied = 0
        """The version of the last applied event. After `refresh` the table may be newer, with events still to come."""
        self._on_turn: int | None = None
        """The seat on turn after the last applied event."""
        self._turns: deque[PlayedTurn] = deque(maxlen=KEPT_TURNS)

    @property
    def turns(self) -> tuple[PlayedTurn, ...]:
        """The last turns of the current deal, oldest first, including the current turn so far."""
        return tuple(self._turns)

    def apply(self, item: EventItem) -> None:
        """Apply the next item of the event stream; ignore an item that was applied before."""
        before = self.table
        if before is not None and before.id != item.table.id:
            before, self._applied, self._on_turn = None, 0, None
        if item.id <= self._applied:
            return
        self._applied = item.id
        for event in item.table.events:
            if event.get("type") not in SHOWN_WITH_THE_RESULT:
                self._add(event)
        self._on_turn = None if item.table.deal is None else item.table.deal.turn
        self._note_over(item.table)
        if before is None or item.id > before.version:
            dealt = any(event.get("type") == "dealt" for event in item.table.events)
            if dealt or before is None or _turn(before) != _turn(item.table):
                self.turn_since = item.id
            self._set(item.table)

    def hear(self, said: SaidRemark) -> None:
        """Add a remark. It replaces the seat's earlier remark in this turn or since the end of the match."""
        if self.table is not None and self.table.status == "over":
            self.said.pop(said.seat, None)
            self.said[said.seat] = said
            return
        if self._turns and self._turns[-1].seat == self._on_turn:
            last = self._turns.pop()
            kept = tuple(event for event in last.events if not (event["type"] == REMARK and event["seat"] == said.seat))
            self._turns.append(structs.replace(last, events=kept))
        self._add({"type": REMARK, **msgspec.to_builtins(said)})

    def _add(self, event: JsonObject) -> None:
        if event.get("type") == "dealt":
            self._turns.clear()
            self._on_turn = None
        if self._turns and self._turns[-1].seat == self._on_turn:
            last = self._turns.pop()
            self._turns.append(structs.replace(last, events=(*last.events, event)))
        else:
            self._turns.append(PlayedTurn(self._on_turn, (event,)))

    def refresh(self, table: Table) -> None:
        """Replace the table by the engine's current table, if that is newer."""
        if self.table is None or table.version > self.table.version:
            if self.table is None or _turn(self.table) != _turn(table):
                self.turn_since = table.version
            self._set(table)

    def _set(self, table: Table) -> None:
        self.table = table
        if table.status != "over":
            self.said.clear()
        self._note_over(table)

    def _note_over(self, table: Table) -> None:
        if table.match.result is not None:
            self.over.setdefault(table.match.number, table)


def without_remarks(turns: Sequence[PlayedTurn], seats: Container[int]) -> tuple[PlayedTurn, ...]:
    """Return turns without the remarks of these seats."""
    return tuple(
        structs.replace(
            turn, events=tuple(event for event in turn.events if event["type"] != REMARK or event["seat"] not in seats)
        )
        for turn in turns
    )


def _turn(table: Table) -> tuple[int, int, int | None]:
    """Return the match, the deal and the seat to act."""
    return table.match.number, table.match.deal, None if table.deal is None else table.deal.turn
