"""A bounded, fair work queue without waiting; `Places` adds waiting and timeouts.

Each piece of work belongs to an asker, for example a client. Askers are served by start-time fair queueing: each has a
clock that advances by the cost of its work, and the asker whose clock is furthest behind is next. After a pause, an
asker starts at the clock of those being served, so nobody can save up turns. One asker's backlog delays another asker
by at most one piece of work.
"""

from bisect import insort
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import chain, count
from math import inf
from sys import maxsize
from typing import Generic, Literal, TypeVar

T = TypeVar("T")

MANY = 64
"""Number of askers below which idle askers are not removed."""

Asker = Hashable
Target = Hashable


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits on running and waiting work."""

    places: int
    """Maximum number of running pieces of work."""
    asker_places: int = maxsize
    """Maximum number of running pieces of work of one asker."""
    target_places: Callable[[Target], int] = lambda _: maxsize
    """Maximum number of running pieces of work for one target. The target None has no limit."""
    waiting: int = maxsize
    """Maximum number of waiting pieces of work."""
    asker_waiting: int = maxsize
    """Maximum number of waiting pieces of work of one asker."""
    target_waiting: int = maxsize
    """Maximum number of one asker's waiting pieces of work for one target."""
    drops: Literal["oldest", "newest"] = "newest"
    """Which entry is dropped when too many wait. It belongs to the asker over a limit, or else to the asker with the
    most entries.
    """
    head_start: float = inf
    """Maximum lead in cost that an asker may have over the other askers before its work loses its priority."""


@dataclass(slots=True, eq=False)
class Waiting(Generic[T]):
    """A piece of work that is waiting or running."""

    work: T
    asker: Asker
    target: Target = None
    rank: int = 0
    """Priority of the work: the lowest rank begins first."""
    number: int = field(default=0, init=False)
    """Order of arrival. Work that is put back into the queue keeps its number."""


@dataclass(slots=True)
class _Turns(Generic[T]):
    """The state of an asker."""

    clock: float
    """Total cost of the asker's work, on the same scale as `FairQueue._now_served`."""
    running: int = 0
    waiting: dict[int, deque[Waiting[T]]] = field(default_factory=dict)
    """Waiting work by rank, oldest first."""
    later: dict[Waiting[T], float] = field(default_factory=dict)
    """Work that must not begin yet, with the time from which it may begin."""

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values())) + len(self.later)

    def in_order(self) -> Iterator[Waiting[T]]:
        """Yield the work that may begin, lowest rank first, then oldest."""
        for rank in sorted(self.waiting):
            yield from self.waiting[rank]

    def all(self) -> Iterator[Waiting[T]]:
        """Yield the work that may begin, in order, then the work that must not begin yet."""
        return chain(self.in_order(), self.later)

    def add(self, waiting: Waiting[T]) -> None:
        line = self.waiting.setdefault(waiting.rank, deque())
        if line and line[-1].number > waiting.number:
            insort(line, waiting, key=lambda other: other.number)
        else:
            line.append(waiting)

    def remove(self, waiting: Waiting[T]) -> None:
        if self.later.pop(waiting, None) is not None:
            return
        line = self.waiting[waiting.rank]
        line.remove(waiting)
        if not line:
            del self.waiting[waiting.rank]


class FairQueue(Generic[T]):
    """Decides which work begins next. It reads no clock, and starts nothing itself."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._askers: dict[Asker, _Turns[T]] = {}
        self._ready: dict[Asker, _Turns[T]] = {}
        """Askers with work that may begin."""
        self._later: list[tuple[float, int, Waiting[T]]] = []
        """Heap of work that must not begin before a time. Some entries are stale: their work has left the queue."""
        self._running: dict[Target, int] = {}
        self._many = MANY
        """Number of askers at which idle askers are removed."""
        self._under_way = 0
        self._waiting = 0
        self._now_served = 0.0
        """The clock of the asker being served. New askers start with this clock."""
        self._numbers = count(1)

    def __len__(self) -> int:
        """Return the number of waiting pieces of work."""
        return self._waiting

    @property
    def under_way(self) -> int:
        """Number of running pieces of work."""
        return self._under_way

    def __contains__(self, waiting: Waiting[T]) -> bool:
        """Return whether a piece of work is waiting."""
        turns = self._askers.get(waiting.asker)
        return turns is not None and (waiting in turns.later or waiting in turns.waiting.get(waiting.rank, ()))

    def waiting(self) -> Iterator[Waiting[T]]:
        """Yield all waiting work, by asker."""
        for turns in self._askers.values():
            yield from turns.all()

    def put(self, waiting: Waiting[T], not_before: float = -inf) -> Waiting[T] | None:
        """Add work that may begin at the time `not_before`; return the work dropped for it (perhaps itself), if any."""
        turns = self._turns(waiting.asker)
        waiting.number = waiting.number or next(self._numbers)
        if not_before > -inf:
            turns.later[waiting] = not_before
            heappush(self._later, (not_before, waiting.number, waiting))
        else:
            self._add(turns, waiting)
        self._waiting += 1
        beyond = self._beyond(turns, waiting.target)
        if beyond is None:
            return None
        choose = min if self._bounds.drops == "oldest" else max
        dropped = choose(beyond, key=lambda candidate: candidate.number)
        self.remove(dropped)
        return dropped

    def next_time(self) -> float | None:
        """Return the earliest time at which delayed work may begin, or None."""
        while self._later and not self._is_due(self._later[0], inf):
            heappop(self._later)
        return self._later[0][0] if self._later else None

    def take(self, now: float = inf) -> Waiting[T] | None:
        """Return the work that begins now, or None. The work counts as running until `end`."""
        self._admit(now)
        if self._under_way >= self._bounds.places or not self._waiting:
            return None
        eligible = [
            (self._key(turns, waiting), waiting)
            for turns in self._ready.values()
            if turns.running < self._bounds.asker_places
            for waiting in [next(filter(self._has_place, turns.in_order()), None)]
            if waiting is not None
        ]
        if not eligible:
            return None
        _, first = min(eligible, key=lambda pair: pair[0])
        self._begin(first)
        return first

    def end(self, waiting: Waiting[T], cost: float) -> None:
        """Record that work has ended, and charge its cost to its asker."""
        turns = self._askers[waiting.asker]
        turns.running -= 1
        turns.clock += cost
        self._under_way -= 1
        if waiting.target is not None:
            self._running[waiting.target] -= 1
            if not self._running[waiting.target]:
                del self._running[waiting.target]
        self._forget_idle(waiting.asker)

    def remove(self, waiting: Waiting[T]) -> None:
        """Remove waiting work."""
        self._remove(self._askers[waiting.asker], waiting)
        self._waiting -= 1
        self._forget_idle(waiting.asker)

    def _turns(self, asker: Asker) -> _Turns[T]:
        turns = self._askers.get(asker)
        if turns is None:
            turns = self._askers[asker] = _Turns(self._now_served)
        elif not turns.running and not turns.waiting:
            turns.clock = max(turns.clock, self._now_served)
        return turns

    def _add(self, turns: _Turns[T], waiting: Waiting[T]) -> None:
        turns.add(waiting)
        self._ready[waiting.asker] = turns

    def _remove(self, turns: _Turns[T], waiting: Waiting[T]) -> None:
        turns.remove(waiting)
        if not turns.waiting:
            self._ready.pop(waiting.asker, None)

    def _is_due(self, entry: tuple[float, int, Waiting[T]], now: float) -> bool:
        """Return whether an entry of the heap is still valid, and may begin now."""
        time, _, waiting = entry
        turns = self._askers.get(waiting.asker)
        return time <= now and turns is not None and turns.later.get(waiting) == time

    def _admit(self, now: float) -> None:
        """Move delayed work whose time has come into the queue."""
        while self._later and self._later[0][0] <= now:
            entry = heappop(self._later)
            if self._is_due(entry, now):
                waiting = entry[2]
                turns = self._turns(waiting.asker)
                del turns.later[waiting]
                self._add(turns, waiting)

    def _key(self, turns: _Turns[T], waiting: Waiting[T]) -> tuple[float, int, float, int]:
        ahead = turns.clock - self._now_served > self._bounds.head_start
        return (inf if ahead else waiting.rank, turns.running, turns.clock, waiting.number)

    def _has_place(self, waiting: Waiting[T]) -> bool:
        if waiting.target is None:
            return True
        return self._running.get(waiting.target, 0) < self._bounds.target_places(waiting.target)

    def _begin(self, waiting: Waiting[T]) -> None:
        turns = self._askers[waiting.asker]
        behind = min(other.clock for other in self._ready.values())
        if behind > self._now_served:
            self._now_served = behind
            self._forget_all_idle()
        self._remove(turns, waiting)
        turns.running += 1
        self._waiting -= 1
        self._under_way += 1
        if waiting.target is not None:
            self._running[waiting.target] = self._running.get(waiting.target, 0) + 1

    def _beyond(self, turns: _Turns[T], target: Target) -> list[Waiting[T]] | None:
        """Return the entries of which one must be dropped after an asker added work; None if no limit is exceeded."""
        bounds = self._bounds
        if len(turns) > bounds.target_waiting:
            same_target = [waiting for waiting in turns.all() if waiting.target == target]
            if len(same_target) > bounds.target_waiting:
                return same_target
        if len(turns) > bounds.asker_waiting:
            return list(turns.all())
        if self._waiting > bounds.waiting:
            return list(max(self._askers.values(), key=len).all())
        return None

    def _forget_idle(self, asker: Asker) -> None:
        """Remove an idle asker that is not ahead of others. If it returns, it starts like a new asker anyway."""
        turns = self._askers[asker]
        if not turns.running and not turns and turns.clock <= self._now_served:
            del self._askers[asker]
        if not self._under_way and not self._waiting:
            self._askers.clear()

    def _forget_all_idle(self) -> None:
        """Remove all idle askers, if the number of askers has doubled since the last removal."""
        if len(self._askers) < self._many:
            return
        self._askers = {
            asker: turns
            for asker, turns in self._askers.items()
            if turns.running or turns or turns.clock > self._now_served
        }
        self._many = max(MANY, 2 * len(self._askers))
