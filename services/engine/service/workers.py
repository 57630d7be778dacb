"""Worker processes that think for computer players, so that no search blocks the event loop."""

import asyncio
import gc
import multiprocessing
import os
import resource
import signal
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from math import inf
from multiprocessing import connection
from pathlib import Path
from types import FrameType
from typing import Literal, TypeAlias, TypeVar

import structlog

from services.common.fair_queue import Bounds
from services.common.places import NoPlaceError, Place, Places

NICENESS = 10
"""The `nice` value of workers: processes that serve people come first."""
LONGEST_THOUGHT = 4.0
"""Seconds of processor time after which any thought is abandoned."""
MEMORY = 1 << 30
"""Bytes that a thinking process may allocate."""
START_SECONDS = 5.0
"""Seconds that a process may take to start, beside the time of a thought."""
WARM_SECONDS = 20.0
"""Seconds that all processes may take to start before the engine is ready without them."""
START_METHOD = "spawn"
"""How processes start: a fork would copy the threads' locks, and a server of forks needs a folder to write to."""
SHORT_LIVED = 1
"""The generations of the garbage collector whose objects a thought leaves behind."""
PLAYERS = "services.engine.service.thought"
"""Modules that a process imports before its first thought."""
MOST_WAITING = 256
"""Thoughts that may wait; each brings as many bytes as a request may have."""
MOST_WAITING_OF_ONE = 128
"""The bound for one asker."""
MOST_PLACES = 8
"""Places that the log names of an exception."""
HEAD_START = 1.0
"""How many seconds of a worker an asker may be ahead before their moves at tables stop coming first."""
LONG = "long"
"""The kind of work whose length a client chooses: one worker takes none of it."""

T = TypeVar("T")

log = structlog.stdlib.get_logger("engine.thinking")


ThoughtFailure: TypeAlias = Literal["late", "lost", "failed", "closed"]
"""Why a thought has no result: its time was up, its process died twice, it raised, or the pool was closed."""


class ThoughtFailedError(Exception):
    """A thought has no result, for `reason`."""

    def __init__(self, reason: ThoughtFailure) -> None:
        super().__init__(reason)
        self.reason = reason


class RaisedInWorkerError(Exception):
    """An exception in a worker: its class and its places, without its message, which could quote a hand."""

    def __init__(self, name: str, places: list[str]) -> None:
        super().__init__(name, places)
        self.name = name
        self.places = places
        """File and line of each call that led there, the last one innermost."""

    @classmethod
    def of(cls, error: BaseException) -> "RaisedInWorkerError":
        """Return the safe description of an exception."""
        steps = traceback.extract_tb(error.__traceback__)[-MOST_PLACES:]
        places = [f"{'/'.join(Path(step.filename).parts[-2:])}:{step.lineno}" for step in steps]
        return cls(type(error).__name__, places)


@dataclass(frozen=True, slots=True)
class Asker:
    """The asker of a thought, and its terms."""

    account: Hashable
    """The asker whose turn it takes: a client's group, or that of a table's opener."""
    patience: float = inf
    """Seconds that the thought may wait for a worker."""
    long: bool = False
    """Whether the client chooses the subject, and so the length, of the thought, or the number of thoughts."""
    at_table: bool = False
    """Whether it is a move at a table, which comes before other thoughts."""
    game: str | None = None
    """The name in the log if the thought fails."""


class Workers:
    """A pool of worker processes. A process that dies is replaced.

    Accounts take turns. A task keeps its worker to its end, even if nobody waits for it. One worker takes no thoughts
    of a length that clients choose, so that those of the engine's own budget, at tables and for hints, are never behind
    long ones on all workers.
    """

    def __init__(self, count: int = 0) -> None:
        self.count = 1 + (count or max(1, (os.cpu_count() or 1) - 1))
        """How many processes there are at most: one more than take thoughts of any length."""
        self._pool: ProcessPoolExecutor | None = None
        self._thread = ThreadPoolExecutor(1, "workers")
        """The one thread that starts processes and hands thoughts to them."""
        self._started = False
        self._closed = False
        self._places = Places(
            Bounds(
                self.count,
                target_places=lambda _: max(1, self.count - 1),
                waiting=MOST_WAITING,
                asker_waiting=MOST_WAITING_OF_ONE,
                head_start=HEAD_START,
            )
        )
        self._at_tables: Counter[Hashable] = Counter()
        """By account, the moves at tables that wait or are under way."""
        self._working: set[asyncio.Task[bytes]] = set()

    @property
    def pending(self) -> int:
        """Thoughts that wait for a process or are under way, abandoned ones included."""
        return len(self._places)

    def share(self, account: Hashable) -> float:
        """Return the share of its time that an account's next move at a table may use, so that all end in time.

        An account with more moves makes no other account's share smaller.
        """
        own = self._at_tables[account] + 1
        others = sum(min(own, count) for other, count in self._at_tables.items() if other != account)
        return min(1.0, self.count / (own + others))

    @property
    def processes(self) -> list[int]:
        """The ids of the running processes."""
        return [] if self._pool is None else [*(self._pool._processes or {})]  # noqa: SLF001  (nothing else tells)

    async def warm(self) -> None:
        """Start all processes, so that no thought waits for a start; give up after `WARM_SECONDS`."""
        ready: set[int] = set()
        with suppress(TimeoutError, BrokenProcessPool):
            async with asyncio.timeout(WARM_SECONDS):
                while len(ready) < self.count:
                    starts = await self._in_thread(self._begin_all)
                    ready.update(await asyncio.gather(*map(asyncio.wrap_future, starts)))
        self._started = len(ready) == self.count

    async def run(self, think: Callable[[bytes], bytes], data: bytes, seconds: float, asker: Asker) -> bytes:
        """Return `think(data)`, run in a worker. Raises `ThoughtFailedError`.

        It waits for a worker as long as the asker's patience lasts, and then for the result for at most `seconds`.
        """
        self._note(asker, 1)
        try:
            target, rank = LONG if asker.long else None, 0 if asker.at_table else 1
            place = await self._places.begin(asker.account, target, rank, asker.patience)
        except BaseException as error:
            self._note(asker, -1)
            if isinstance(error, NoPlaceError):
                raise ThoughtFailedError("late") from None
            raise
        working = asyncio.create_task(self._work(think, data, asker, place))
        self._working.add(working)
        working.add_done_callback(self._retrieve)
        try:
            async with asyncio.timeout(seconds if self._started else seconds + START_SECONDS):
                return await asyncio.shield(working)
        except TimeoutError:
            raise ThoughtFailedError("late") from None

    def _note(self, asker: Asker, more: int) -> None:
        """Count the moves at tables of an account."""
        if asker.at_table:
            self._at_tables[asker.account] += more
            if not self._at_tables[asker.account]:
                del self._at_tables[asker.account]

    async def _work(self, think: Callable[[bytes], bytes], data: bytes, asker: Asker, place: Place) -> bytes:
        """Return the result of a thought that has its place, once more if its process dies, and give the place back."""
        began = time.monotonic()
        try:
            try:
                return await self._submit(think, data, asker.game)
            except BrokenProcessPool:
                if not self._closed:
                    log.warning("worker_lost")
                return await self._submit(think, data, asker.game)
        except BrokenProcessPool:
            raise ThoughtFailedError("closed" if self._closed else "lost") from None
        finally:
            self._note(asker, -1)
            self._places.end(place, time.monotonic() - began)

    def _retrieve(self, working: "asyncio.Task[bytes]") -> None:
        """Forget a thought that has ended, and retrieve its error in case it was abandoned."""
        self._working.discard(working)
        if not working.cancelled():
            working.exception()

    async def _submit(self, think: Callable[[bytes], bytes], data: bytes, game: str | None) -> bytes:
        """Return the worker's result. Raises `BrokenProcessPool` if the worker has died."""
        try:
            result = await asyncio.wrap_future(await self._in_thread(lambda: self._begin(think, data)))
        except BrokenProcessPool:
            self._started = False
            raise
        except (asyncio.CancelledError, ThoughtFailedError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the table goes on
            if self._closed:
                raise ThoughtFailedError("closed") from None
            raised = error if isinstance(error, RaisedInWorkerError) else RaisedInWorkerError.of(error)
            log.error("thought_failed", game=game, error=raised.name, places=raised.places)  # noqa: TRY400
            raise ThoughtFailedError("late" if raised.name == TimeoutError.__name__ else "failed") from None
        self._started = True
        return result

    def _in_thread(self, act: Callable[[], T]) -> "asyncio.Future[T]":
        return asyncio.get_running_loop().run_in_executor(self._thread, act)

    def _begin(self, think: Callable[[bytes], bytes], data: bytes) -> Future[bytes]:
        """Submit a thought, which may start a process. A broken pool is replaced."""
        try:
            return self._open_pool().submit(_bounded, think, data)
        except BrokenProcessPool:
            self._pool = None
            return self._open_pool().submit(_bounded, think, data)

    def _begin_all(self) -> list[Future[int]]:
        """Ask for a process id once for each process, which starts them all."""
        return [self._open_pool().submit(_own_id) for _ in range(self.count)]

    def _open_pool(self) -> ProcessPoolExecutor:
        """Return the pool. Raises `ThoughtFailedError` once it is closed."""
        if self._closed:
            raise ThoughtFailedError("closed")
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.count, multiprocessing.get_context(START_METHOD), _prepare)
        return self._pool

    async def close(self) -> None:
        """End all workers; pending thoughts have no result."""
        if not self._closed:
            await self._in_thread(self._end)
            self._thread.shutdown(wait=False)

    def _end(self) -> None:
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is None:
            return
        for process in [*(pool._processes or {}).values()]:  # noqa: SLF001  (Python 3.14 has `terminate_workers`)
            process.terminate()
        pool.shutdown(cancel_futures=True)


# --- inside a worker


def _prepare() -> None:
    """Limit the worker's memory, load the players, lower its priority, let it end with the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the engine ends its workers itself
    signal.signal(signal.SIGVTALRM, _give_up)
    _bound_memory()
    import_module(PLAYERS)
    gc.freeze()
    gc.disable()  # collecting the players' caches would take 100 ms of a thought
    os.nice(NICENESS)  # not before: the engine is ready once its processes are
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _bound_memory() -> None:
    with suppress(OSError, ValueError):  # macOS refuses limits below what the process has mapped
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(0)


def _own_id() -> int:
    """Return this process's id after a pause, so that another ready process takes the next question."""
    time.sleep(0.02)
    return os.getpid()


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def _bounded(think: Callable[[bytes], bytes], data: bytes) -> bytes:
    """Return `think(data)`. Raises `RaisedInWorkerError`, after `LONGEST_THOUGHT` seconds of processor time as well."""
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_THOUGHT)
    try:
        return think(data)
    except Exception as error:  # noqa: BLE001 - whatever it is, its message stays here
        raise RaisedInWorkerError.of(error) from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.collect(SHORT_LIVED)
