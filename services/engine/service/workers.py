"""Worker processes that think for computer players, so that no search blocks the event loop."""

import asyncio
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
from multiprocessing import connection
from types import FrameType
from typing import Literal, TypeAlias

import structlog

NICENESS = 10
"""The `nice` value of workers: processes that serve people come first."""
LONGEST_THOUGHT = 10.0
"""Seconds of processor after which a thought is given up, whatever its budget."""
MEMORY = 1 << 30
"""Bytes that a thinking process may allocate."""
START_SECONDS = 5.0
"""Seconds that a process may take to start, beside the time of a thought."""

log = structlog.stdlib.get_logger("engine.thinking")


ThoughtFailure: TypeAlias = Literal["late", "lost", "failed", "closed"]
"""Why a thought has no result: its time was up, its process died twice, it raised, or the pool was closed."""


class ThoughtFailedError(Exception):
    """A thought has no result, for `reason`."""

    def __init__(self, reason: ThoughtFailure) -> None:
        super().__init__(reason)
        self.reason = reason


class Workers:
    """A pool of worker processes, started at the first thought. A process that dies is replaced."""

    def __init__(self, count: int = 0) -> None:
        self.count = count or max(1, (os.cpu_count() or 1) - 1)
        """How many processes there are at most."""
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()
        self._started = False
        self._closed = False
        self.pending = 0
        """Thoughts that have been asked for and have no result yet."""

    @property
    def share(self) -> float:
        """The share of its time that a thought that starts now may use, so that all pending thoughts end in time."""
        return min(1.0, self.count / (self.pending + 1))

    @property
    def processes(self) -> list[int]:
        """The ids of the running processes."""
        return [] if self._pool is None else [*(self._pool._processes or {})]  # noqa: SLF001  (nothing else tells)

    async def run(self, think: Callable[[bytes], bytes], data: bytes, seconds: float) -> bytes:
        """Return `think(data)`, run in a worker. Raises `ThoughtFailedError`, at the latest after `seconds`."""
        self.pending += 1
        try:
            limit = seconds if self._started else seconds + START_SECONDS
            deadline = time.monotonic() + limit
            async with asyncio.timeout(limit):
                try:
                    return await self._submit(think, data, deadline)
                except BrokenProcessPool:
                    if not self._closed:
                        log.warning("worker_lost")
                    return await self._submit(think, data, deadline)
        except TimeoutError:
            raise ThoughtFailedError("late") from None
        except BrokenProcessPool:
            raise ThoughtFailedError("closed" if self._closed else "lost") from None
        finally:
            self.pending -= 1

    async def _submit(self, think: Callable[[bytes], bytes], data: bytes, deadline: float) -> bytes:
        """Return the worker's result. Raises `BrokenProcessPool` if the worker has died."""
        try:
            thought = asyncio.wrap_future(await asyncio.to_thread(self._begin, think, data, deadline))
            thought.add_done_callback(_retrieve)
            # Not cancelled when its time is up: in Python 3.11, a pool whose worker dies fails at a cancelled future.
            result = await asyncio.shield(thought)
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

    def _begin(self, think: Callable[[bytes], bytes], data: bytes, deadline: float) -> Future[bytes]:
        """Submit a thought, in a thread, since that may start a process. A broken pool is replaced."""
        with self._lock:
            if self._closed:
                raise ThoughtFailedError("closed")
            if self._pool is None:
                self._pool = self._new_pool()
            try:
                return self._pool.submit(_bounded, think, data, deadline)
            except BrokenProcessPool:
                self._pool = self._new_pool()
                return self._pool.submit(_bounded, think, data, deadline)

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.count, multiprocessing.get_context("spawn"), _prepare)

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


def _retrieve(thought: asyncio.Future[bytes]) -> None:
    """Retrieve the error of a thought for which nobody may wait any more; else asyncio logs it."""
    if not thought.cancelled():
        thought.exception()


# --- inside a worker


def _prepare() -> None:
    """Lower the worker's priority, limit its memory, and let it end with the process that started it."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the engine ends its workers itself
    signal.signal(signal.SIGVTALRM, _give_up)
    _bound_memory()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _bound_memory() -> None:
    with suppress(OSError, ValueError):  # macOS refuses limits below what the process has mapped
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(0)


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def _bounded(think: Callable[[bytes], bytes], data: bytes, deadline: float) -> bytes:
    """Return `think(data)`. Raises `TimeoutError` after `LONGEST_THOUGHT` seconds of processor time.

    After the deadline (`time.monotonic`, which all processes of a machine share) nobody waits for it any more: then it
    does not begin.
    """
    if time.monotonic() > deadline:
        raise TimeoutError
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_THOUGHT)
    try:
        return think(data)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
