"""Worker processes for the computations of computer players, so that no search blocks the event loop."""

import asyncio
import gc
import multiprocessing
import os
import resource
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from math import inf
from multiprocessing import connection
from types import FrameType
from typing import Literal, TypeAlias, TypeVar

import structlog

from services.common.fair_queue import Bounds
from services.common.logs import stack_frames
from services.common.places import NoPlaceError, Place, Places

NICENESS = 10
"""The `nice` value of workers: the engine's own process takes precedence."""
LONGEST_THOUGHT = 4.0
"""Processor seconds after which any computation is aborted."""
MEMORY = 1 << 30
"""Bytes that a worker may allocate."""
START_SECONDS = 5.0
"""Seconds that a process may take to start, in addition to the time of its first computation."""
WARM_SECONDS = 20.0
"""Seconds after which the engine becomes ready even if not all processes have started."""
START_METHOD = "spawn"
"""How processes start. `fork` would copy locked locks of threads; `forkserver` needs a writable folder."""
SHORT_LIVED = 1
"""Generation of the garbage collector that is collected after each computation."""
PLAYERS = "services.engine.service.thought"
"""Module that a process imports before its first computation."""
MOST_WAITING = 256
"""Maximum number of queued computations. Each may be as large as a request."""
MOST_WAITING_OF_ONE = 128
"""Maximum number of queued computations of one account."""
HEAD_START = 1.0
"""Worker seconds that an account may use more than other accounts before its moves at tables lose their priority."""
LONG = "long"
"""Mark of work whose length a client determines. One worker is kept free of such work."""

T = TypeVar("T")

log = structlog.stdlib.get_logger("engine.thinking")


ThoughtFailure: TypeAlias = Literal["late", "lost", "failed", "closed"]
"""Why a computation has no result: it took too long, its process died twice, it raised an exception, or the pool is
closed.
"""


class ThoughtFailedError(Exception):
    """A computation has no result; `reason` says why."""

    def __init__(self, reason: ThoughtFailure) -> None:
        super().__init__(reason)
        self.reason = reason


class RaisedInWorkerError(Exception):
    """An exception in a worker: class and stack, without the message, which could name cards of a hand."""

    def __init__(self, name: str, frames: list[str]) -> None:
        super().__init__(name, frames)
        self.name = name
        self.frames = frames
        """File, line and function of each call, innermost last."""

    @classmethod
    def of(cls, error: BaseException) -> "RaisedInWorkerError":
        """Return the description of an exception."""
        return cls(type(error).__name__, stack_frames(error))


@dataclass(frozen=True, slots=True)
class Asker:
    """The requester of a computation, with its limits and priority."""

    account: Hashable
    """The account whose turn the computation uses: a group of clients, or the account of a table's opener."""
    patience: float = inf
    """Seconds that the computation may wait for a worker."""
    long: bool = False
    """Whether a client determines the length or number of the computations, for example by sending a view."""
    at_table: bool = False
    """Whether the computation is for a move at a table, which has priority."""
    game: str | None = None
    """The game's name, for the log."""


class Workers:
    """A pool of worker processes. Processes that die are replaced.

    Accounts take turns in using the workers. A computation occupies its worker until it ends, even if nobody waits for
    its result any more. One worker is kept free of work whose length clients determine (`LONG`), so that moves at
    tables and hints always find a worker.
    """

    def __init__(self, count: int = 0) -> None:
        self.count = 1 + (count or max(1, (os.cpu_count() or 1) - 1))
        """Maximum number of processes: one more than the number that can run work of any length."""
        self._pool: ProcessPoolExecutor | None = None
        self._thread = ThreadPoolExecutor(1, "workers")
        """The single thread that starts processes and submits computations to them."""
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
        """Number of computations for moves at tables, waiting or running, by account."""
        self._working: set[asyncio.Task[bytes]] = set()

    @property
    def pending(self) -> int:
        """Number of computations, waiting or running, including abandoned ones."""
        return len(self._places)

    def share(self, account: Hashable) -> float:
        """Return the fraction of its time that an account's next move may use, so that all moves are made in time.

        More moves of one account do not change the fractions of other accounts.
        """
        own = self._at_tables[account] + 1
        others = sum(min(own, count) for other, count in self._at_tables.items() if other != account)
        return min(1.0, self.count / (own + others))

    @property
    def processes(self) -> list[int]:
        """The ids of the running processes."""
        return [] if self._pool is None else [*(self._pool._processes or {})]  # noqa: SLF001  (no public API)

    async def warm(self) -> None:
        """Start all processes, so that no computation waits for a start. Takes at most `WARM_SECONDS`."""
        ready: set[int] = set()
        with suppress(TimeoutError, BrokenProcessPool):
            async with asyncio.timeout(WARM_SECONDS):
                while len(ready) < self.count:
                    starts = await self._in_thread(self._begin_all)
                    ready.update(await asyncio.gather(*map(asyncio.wrap_future, starts)))
        self._started = len(ready) == self.count

    async def run(self, think: Callable[[bytes], bytes], data: bytes, seconds: float, asker: Asker) -> bytes:
        """Return `think(data)`, run in a worker. Raises `ThoughtFailedError` if there is no result.

        Waits up to `asker.patience` seconds for a worker, and then up to `seconds` for the result.
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
        """Update the account's number of moves at tables."""
        if asker.at_table:
            self._at_tables[asker.account] += more
            if not self._at_tables[asker.account]:
                del self._at_tables[asker.account]

    async def _work(self, think: Callable[[bytes], bytes], data: bytes, asker: Asker, place: Place) -> bytes:
        """Return the result of a computation, and free its slot in the pool. Runs it again if its process dies."""
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
        """Remove a computation that has ended. Retrieves its exception, in case no caller does."""
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
        except Exception as error:  # noqa: BLE001 - the table must continue
            if self._closed:
                raise ThoughtFailedError("closed") from None
            raised = error if isinstance(error, RaisedInWorkerError) else RaisedInWorkerError.of(error)
            log.error("thought_failed", game=game, error=raised.name, at=raised.frames)  # noqa: TRY400
            raise ThoughtFailedError("late" if raised.name == TimeoutError.__name__ else "failed") from None
        self._started = True
        return result

    def _in_thread(self, act: Callable[[], T]) -> "asyncio.Future[T]":
        return asyncio.get_running_loop().run_in_executor(self._thread, act)

    def _begin(self, think: Callable[[bytes], bytes], data: bytes) -> Future[bytes]:
        """Submit a computation, which may start a process. Replaces a broken pool."""
        try:
            return self._open_pool().submit(_bounded, think, data)
        except BrokenProcessPool:
            self._pool = None
            return self._open_pool().submit(_bounded, think, data)

    def _begin_all(self) -> list[Future[int]]:
        """Ask each process for its id, which starts all processes."""
        return [self._open_pool().submit(_own_id) for _ in range(self.count)]

    def _open_pool(self) -> ProcessPoolExecutor:
        """Return the pool, created at first use. Raises `ThoughtFailedError` if the pool was closed."""
        if self._closed:
            raise ThoughtFailedError("closed")
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.count, multiprocessing.get_context(START_METHOD), _prepare)
        return self._pool

    async def close(self) -> None:
        """Stop all workers. Computations in progress get no result."""
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
    """Prepare a worker: limit its memory, load the players, lower its priority, and end it with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches workers too, but only the engine ends them
    signal.signal(signal.SIGVTALRM, _give_up)
    _bound_memory()
    import_module(PLAYERS)
    gc.freeze()
    gc.disable()  # collecting the computer players' caches would take 100 ms of a computation
    os.nice(NICENESS)  # this is the last step, since the engine waits until workers are ready
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _bound_memory() -> None:
    with suppress(OSError, ValueError):  # macOS refuses limits below the memory that the process has mapped
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(0)


def _own_id() -> int:
    """Return this process's id. Pauses first, so that another process takes the next request."""
    time.sleep(0.02)
    return os.getpid()


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def _bounded(think: Callable[[bytes], bytes], data: bytes) -> bytes:
    """Return `think(data)`. Raises `RaisedInWorkerError`, also after `LONGEST_THOUGHT` seconds of processor time."""
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_THOUGHT)
    try:
        return think(data)
    except Exception as error:  # noqa: BLE001 - its message must not leave the process
        raise RaisedInWorkerError.of(error) from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.collect(SHORT_LIVED)
