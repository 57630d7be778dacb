"""Worker processes that think for computer players, so that no search blocks the event loop."""

import asyncio
import gc
import multiprocessing
import os
import resource
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from multiprocessing import connection
from types import FrameType
from typing import Literal, TypeAlias

import structlog

from services.engine.service.thought_queue import TABLE, Asker, NoWorkerError, ThoughtQueue

NICENESS = 10
"""The `nice` value of workers: processes that serve people come first."""
LONGEST_THOUGHT = 4.0
"""Seconds of processor after which a thought is given up, whatever its budget."""
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
"""What a process imports before its first thought."""

log = structlog.stdlib.get_logger("engine.thinking")


ThoughtFailure: TypeAlias = Literal["late", "lost", "failed", "closed"]
"""Why a thought has no result: its time was up, its process died twice, it raised, or the pool was closed."""


class ThoughtFailedError(Exception):
    """A thought has no result, for `reason`."""

    def __init__(self, reason: ThoughtFailure) -> None:
        super().__init__(reason)
        self.reason = reason


class Workers:
    """A pool of worker processes. A process that dies is replaced."""

    def __init__(self, count: int = 0) -> None:
        self.count = 1 + (count or max(1, (os.cpu_count() or 1) - 1))
        """How many processes there are at most: one more than take thoughts of any length."""
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()
        self._started = False
        self._closed = False
        self._queue = ThoughtQueue(self.count)
        self._working: set[asyncio.Task[bytes]] = set()

    @property
    def pending(self) -> int:
        """Thoughts that wait for a process or are under way, also those for whose result nobody waits any more."""
        return len(self._queue)

    @property
    def share(self) -> float:
        """The share of its time that a thought at a table may use, so that all of them end in time."""
        return min(1.0, self.count / (self._queue.tables + 1))

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
                    asked = await asyncio.to_thread(self._begin_all)
                    ready.update(await asyncio.gather(*map(asyncio.wrap_future, asked)))
        self._started = len(ready) == self.count

    async def run(self, think: Callable[[bytes], bytes], data: bytes, seconds: float, asker: Asker = TABLE) -> bytes:
        """Return `think(data)`, run in a worker. Raises `ThoughtFailedError`.

        It waits for a worker as long as the asker's patience lasts, and then for the result for at most `seconds`. What
        is then under way keeps its worker to its end.
        """
        try:
            await self._queue.begin(asker)
        except NoWorkerError:
            raise ThoughtFailedError("late") from None
        working = asyncio.create_task(self._work(think, data, asker))
        self._working.add(working)
        working.add_done_callback(self._retrieve)
        try:
            async with asyncio.timeout(seconds if self._started else seconds + START_SECONDS):
                return await asyncio.shield(working)
        except TimeoutError:
            raise ThoughtFailedError("late") from None

    async def _work(self, think: Callable[[bytes], bytes], data: bytes, asker: Asker) -> bytes:
        """Return the result of a thought that has its place, once more if its process dies, and give the place back."""
        began = time.monotonic()
        try:
            try:
                return await self._submit(think, data)
            except BrokenProcessPool:
                if not self._closed:
                    log.warning("worker_lost")
                return await self._submit(think, data)
        except BrokenProcessPool:
            raise ThoughtFailedError("closed" if self._closed else "lost") from None
        finally:
            self._queue.end(asker, time.monotonic() - began)

    def _retrieve(self, working: "asyncio.Task[bytes]") -> None:
        """Forget a thought that has ended, and retrieve its error, for which nobody may wait any more."""
        self._working.discard(working)
        if not working.cancelled():
            working.exception()

    async def _submit(self, think: Callable[[bytes], bytes], data: bytes) -> bytes:
        """Return the worker's result. Raises `BrokenProcessPool` if the worker has died."""
        try:
            result = await asyncio.wrap_future(await asyncio.to_thread(self._begin, think, data))
        except BrokenProcessPool:
            self._started = False
            raise
        except (asyncio.CancelledError, ThoughtFailedError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the table goes on
            # The message and the cause are left out: they could quote a hand.
            if not self._closed:
                log.error("thought_failed", error=type(error).__name__)  # noqa: TRY400
            raise ThoughtFailedError("closed" if self._closed else "failed") from None
        self._started = True
        return result

    def _begin(self, think: Callable[[bytes], bytes], data: bytes) -> Future[bytes]:
        """Submit a thought, in a thread, since that may start a process. A broken pool is replaced."""
        with self._lock:
            try:
                return self._open_pool().submit(_bounded, think, data)
            except BrokenProcessPool:
                self._pool = None
                return self._open_pool().submit(_bounded, think, data)

    def _begin_all(self) -> list[Future[int]]:
        """Ask for the id of a process as often as there are processes, each of which that starts."""
        with self._lock:
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
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        with self._lock:
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
    gc.disable()  # to collect what the players keep from one thought to the next takes 100 ms out of a thought
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
    """Return this process's id, after a moment in which another process that is ready takes the next question."""
    time.sleep(0.02)
    return os.getpid()


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def _bounded(think: Callable[[bytes], bytes], data: bytes) -> bytes:
    """Return `think(data)`. Raises `TimeoutError` after `LONGEST_THOUGHT` seconds of processor time."""
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_THOUGHT)
    try:
        return think(data)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.collect(SHORT_LIVED)
