"""A bounded queue that serves its askers in turns. Pure; `Places` adds deadlines.

The turns are start-time fair queueing: each asker has a clock that advances by what their work has cost, and the asker
whose clock is furthest behind comes first. Somebody who comes back after a pause starts at the clock of those who are
being served, so nobody saves up turns. One asker's backlog delays another asker by one piece of work at most.
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
"""How many askers there are at least before idle ones are looked for."""

Asker = Hashable
Target = Hashable


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of running and of waiting work."""

    places: int
    """Running pieces of work."""
    asker_places: int = maxsize
    """Of one asker."""
    target_places: Callable[[Target], int] = lambda _: maxsize
    """For one target; the target None has no bound of its own."""
    waiting: int = maxsize
    """Pieces of work that wait."""
    asker_waiting: int = maxsize
    """Of one asker."""
    target_waiting: int = maxsize
    """Of one asker for one target."""
    drops: Literal["oldest", "newest"] = "newest"
    """The entry that gives way when too many wait: of the asker beyond a bound, or with the most entries."""
    head_start: float = inf
    """How much cost an asker may be ahead of the others before the rank of their work stops counting."""


@dataclass(slots=True, eq=False)
class Waiting(Generic[T]):
    """A waiting or running piece of work."""

    work: T
    asker: Asker
    target: Target = None
    rank: int = 0
    """Lower ranks come first: always within an asker, and between askers who are not ahead (`Bounds.head_start`)."""
    number: int = field(default=0, init=False)
    """The order of arrival, which work that is put back keeps."""


@dataclass(slots=True)
class _Turns(Generic[T]):
    """The state of one asker."""

    clock: float
    """The cost of their work, on the scale of `FairQueue._now_served`."""
    running: int = 0
    waiting: dict[int, deque[Waiting[T]]] = field(default_factory=dict)
    """By rank, the oldest first."""
    later: dict[Waiting[T], float] = field(default_factory=dict)
    """Work that waits for a time."""

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values())) + len(self.later)

    def in_order(self) -> Iterator[Waiting[T]]:
        """Yield what may begin, the lowest rank first, and of equals the oldest."""
        for rank in sorted(self.waiting):
            yield from self.waiting[rank]

    def all(self) -> Iterator[Waiting[T]]:
        """Yield waiting work in order, then work that waits for a time."""
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
    """Decides which work begins next. It reads no clock and starts nothing by itself."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._askers: dict[Asker, _Turns[T]] = {}
        self._ready: dict[Asker, _Turns[T]] = {}
        """The askers with work that may begin."""
        self._later: list[tuple[float, int, Waiting[T]]] = []
        """A heap of work that waits for a time; some entries are stale."""
        self._running: dict[Target, int] = {}
        self._many = MANY
        """The number of askers at which idle ones are forgotten."""
        self._under_way = 0
        self._waiting = 0
        self._now_served = 0.0
        """The clock of the asker being served; newcomers start here."""
        self._numbers = count(1)

    def __len__(self) -> int:
        """Return how many pieces of work wait."""
        return self._waiting

    @property
    def under_way(self) -> int:
        """The number of running pieces of work."""
        return self._under_way

    def __contains__(self, waiting: Waiting[T]) -> bool:
        """Return whether a piece of work still waits."""
        turns = self._askers.get(waiting.asker)
        return turns is not None and (waiting in turns.later or waiting in turns.waiting.get(waiting.rank, ()))

    def waiting(self) -> Iterator[Waiting[T]]:
        """Yield all waiting work, by asker."""
        for turns in self._askers.values():
            yield from turns.all()

    def put(self, waiting: Waiting[T], not_before: float = -inf) -> Waiting[T] | None:
        """Add work, which is not taken before the time `not_before`.

        Return the work that gives way to it, possibly itself; None while all bounds hold.
        """
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
        """Return the earliest time for which work waits, if any does."""
        while self._later and not self._is_due(self._later[0], inf):
            heappop(self._later)
        return self._later[0][0] if self._later else None

    def take(self, now: float = inf) -> Waiting[T] | None:
        """Return the work that begins now, None if none may. It has its place until `end`."""
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
        """Give back the place of work that was taken, and charge its cost to its asker."""
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
        """Withdraw waiting work."""
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
        """Return whether an entry holds, and its time has come."""
        time, _, waiting = entry
        turns = self._askers.get(waiting.asker)
        return time <= now and turns is not None and turns.later.get(waiting) == time

    def _admit(self, now: float) -> None:
        """Move work whose time has come into the queue."""
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
        """Return the queue that must drop a piece after an asker's newest one; None while all bounds hold."""
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
        """Forget an asker who is not ahead of the others: they would come back with a newcomer's clock anyway."""
        turns = self._askers[asker]
        if not turns.running and not turns and turns.clock <= self._now_served:
            del self._askers[asker]
        if not self._under_way and not self._waiting:
            self._askers.clear()

    def _forget_all_idle(self) -> None:
        """Forget idle askers once there are twice as many askers as after the last cleaning."""
        if len(self._askers) < self._many:
            return
        self._askers = {
            asker: turns
            for asker, turns in self._askers.items()
            if turns.running or turns or turns.clock > self._now_served
        }
        self._many = max(MANY, 2 * len(self._askers))
