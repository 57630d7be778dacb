"""The due notices that this engine may claim, in fair turns by subscriber.

The notices themselves wait in Redis, unclaimed, so any engine may send them. This queue only holds their order.
"""

from collections.abc import Iterator
from dataclasses import replace

from msgspec import Struct

from services.common.fair_queue import Bounds, FairQueue, Target, Waiting
from services.engine.service.accounts import Group
from services.engine.service.notices import Channel
from services.engine.store.notices import DueNotice

PUSHES = Bounds(
    places=128,
    asker_places=8,
    target_places=lambda _: 32,
    waiting=16_384,
    asker_waiting=1_024,
    target_waiting=256,
    drops="oldest",
)
"""Limits of simultaneous pushes. All pushes go to a few push services, so each service may get many."""
WEBHOOKS = replace(PUSHES, places=64, target_places=lambda _: 16)
NOT_SENT = Bounds(places=64, asker_places=8)
"""Limits for work that sends nothing: removing notices, and checking tables that may have expired. Such work is never
dropped.
"""


class Lined(Struct, frozen=True):
    """A due notice in the queue."""

    due: DueNotice
    channel: Channel | None
    """The channel that sends it; None if it will not be sent."""
    asker: Group
    """The subscriber; empty if the subscription no longer exists."""
    target: Target


Place = Waiting[Lined]


class NoticeQueue:
    """A queue for each channel, so that webhooks do not delay pushes."""

    def __init__(self) -> None:
        self._lines: dict[Channel | None, FairQueue[Lined]] = {
            "push": FairQueue(PUSHES),
            "webhook": FairQueue(WEBHOOKS),
            None: FairQueue(NOT_SENT),
        }
        self._waiting: set[DueNotice] = set()

    def __contains__(self, due: DueNotice) -> bool:
        """Return whether a notice is in the queue."""
        return due in self._waiting

    def put(self, lined: Lined) -> Lined | None:
        """Add a notice. Return the notice that is dropped for it, which may be the new one, or None."""
        self._waiting.add(lined.due)
        dropped = self._lines[lined.channel].put(Waiting(lined, lined.asker, lined.target))
        if dropped is None:
            return None
        self._waiting.discard(dropped.work.due)
        return dropped.work

    def take(self) -> list[Place]:
        """Return the notices that may be sent now. Each counts as being sent until `end`."""
        taken = list(self._take())
        self._waiting.difference_update(place.work.due for place in taken)
        return taken

    def _take(self) -> Iterator[Place]:
        for line in self._lines.values():
            while (place := line.take()) is not None:
                yield place

    def end(self, place: Place, seconds: float) -> None:
        """Record that a notice was sent or could not be claimed, so that the next one may be taken."""
        self._lines[place.work.channel].end(place, seconds)
