"""The updates that a bot has not confirmed yet. They are kept while the bot is stopped."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.emulator.clock import ChangeSignal, Numbers
from tests.emulator.state import JSON

NOT_UNLESS_ASKED = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


@dataclass(frozen=True)
class Update:
    """One update. The webhook delivers the updates of a lane (a chat or a person who taps) in order."""

    id: int
    kind: str
    payload: JSON
    lane: int

    def as_json(self) -> JSON:
        return {"update_id": self.id, self.kind: self.payload}


@dataclass
class Updates:
    """The queue, and the kinds of updates that enter it (`allowed_updates` applies from then on)."""

    changes: ChangeSignal
    allowed: frozenset[str] = frozenset()
    pending: list[Update] = field(default_factory=list)
    _ids: Numbers = field(default_factory=lambda: Numbers(random.randint(100_000_000, 900_000_000)))

    def wants(self, kind: str) -> bool:
        return kind in self.allowed if self.allowed else kind not in NOT_UNLESS_ASKED

    def push(self, kind: str, payload: JSON, lane: int) -> None:
        """Queues an update, unless the bot has not requested updates of its kind."""
        if self.wants(kind):
            self.pending.append(Update(next(self._ids), kind, payload, lane))
            self.changes.notify()

    def allow(self, kinds: list[str] | None) -> None:
        """Sets the allowed kinds: None changes nothing, and an empty list allows all kinds that need no request."""
        if kinds is not None:
            self.allowed = frozenset(kinds)

    def confirm_below(self, offset: int) -> None:
        """Drops updates below the offset; a negative offset keeps only that many of the latest updates."""
        if offset < 0:
            self.pending = self.pending[offset:]
        else:
            self.pending = [update for update in self.pending if update.id >= offset]
        self.changes.notify()

    def confirm(self, update: Update) -> None:
        self.pending.remove(update)
        self.changes.notify()

    def drop(self) -> None:
        self.pending = []
