"""Timeline of a table, built from the engine's events: its state, the last turns, the matches that have ended."""

from collections import deque
from collections.abc import Container, Sequence

import msgspec
from msgspec import Struct, structs

from locanda.messages import EventItem, JsonObject, SaidRemark, Table

SHOWN_WITH_THE_RESULT = {"rematch_answered", "awaited"}
"""Types of events that the message with the result of a match shows, and no turn does."""
KEPT_TURNS = 24
"""More than the seats of any game, so that everybody can read what happened since their last turn."""


REMARK = "remark"
"""The type of a remark among the events."""


class PlayedTurn(Struct, frozen=True):
    """Events while one seat was on turn."""

    seat: int | None
    """The seat; None before the first turn of a deal."""
    events: tuple[JsonObject, ...]


class Timeline:
    """The state of one table that its events lead to."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.turn_since = 0
        """The version at which the current turn began."""
        self.over: dict[int, Table] = {}
        """By number, the table at the end of each match, whose events tell how it ended."""
        self.said: dict[int, SaidRemark] = {}
        """The last remark of each seat since the end of the match."""
        self._applied = 0
        """The version of the last item: the table may have been read at a later one, whose items are still to come."""
        self._on_turn: int | None = None
        """The seat on turn after the last item."""
        self._turns: deque[PlayedTurn] = deque(maxlen=KEPT_TURNS)

    @property
    def turns(self) -> tuple[PlayedTurn, ...]:
        """The last turns of the current deal, oldest first, and what has happened in the one that goes on."""
        return tuple(self._turns)

    def apply(self, item: EventItem) -> None:
        """Add the next item of the event stream. An old item adds nothing."""
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
        """Add a remark; it replaces the seat's last one of this turn, or since the end of the match."""
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
        """Set the table as the engine shows it now, if it is newer."""
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
