"""A simulated process of the bot that dies at one call and then reaches neither Telegram nor Redis nor the engine.

The bot runs in the test's process, in its own tasks. When it dies, its tasks end and its memory is lost.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

from redis.asyncio import Redis

from locanda.client import EngineClient
from locanda.client.transport import Call, ServerSentEvent, Transport
from services.telegram.app import RETRY, RunningBot, new_bot, running_bot
from services.telegram.receiving import long_poll
from services.telegram.repositories.connection import connect
from services.telegram.sending.http_request import AiohttpRequest
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import load
from services.telegram.updates import request_id
from tests.emulator import Emulator

T = TypeVar("T")
POLL = "Telegram getUpdates"

_running: ContextVar["BotProcess | None"] = ContextVar("the bot of this task", default=None)


class Point(NamedTuple):
    """The point at which the bot dies: before a call, or after the call's effect but before its answer."""

    number: int
    done: bool


class BotProcess:
    """One process of the bot, from its start to its death."""

    def __init__(self, telegram: Emulator, engine: str, redis: str) -> None:
        self._telegram = telegram
        self._engine = engine
        self._redis = redis
        self._stack = AsyncExitStack()
        self._main: asyncio.Task[None] | None = None
        self.tasks: set[asyncio.Task[Any]] = set()
        self.running: RunningBot | None = None
        self.point: Point | None = None
        self.died = asyncio.Event()
        self.calls: list[str] = []
        """The names of the calls since the last reset."""
        self.under_way: Counter[str] = Counter()
        self.total = 0
        """The number of calls since the start."""

    def start(self) -> None:
        """Start the bot."""
        before = _running.set(self)
        self._main = asyncio.create_task(self._run(), name="bot")
        _running.reset(before)

    def count_from_here(self, point: Point | None) -> None:
        """Reset the count of calls; with a `point`, die there."""
        self.calls, self.point = [], point

    async def _run(self) -> None:
        settings = load({"TELEGRAM_TOKEN": self._telegram.token, "TELEGRAM_API_URL": self._telegram.url})
        redis = connect(self._redis)
        self._stack.push_async_callback(redis.aclose)
        bot = new_bot(settings)
        bot.request.__class__ = _CountedRequest
        self._stack.push_async_callback(bot.request.shutdown)
        redis.execute_command = _counted(redis)  # type: ignore[method-assign,assignment]
        await bot.initialize()
        connecting = EngineClient.connect(self._engine, retry=RETRY, request_id=request_id)
        engine = await self._stack.enter_async_context(connecting)
        engine._transport.__class__ = _CountedTransport
        async with running_bot(bot, settings, engine, redis, limits=RateLimits.none()) as self.running:
            updates = self.running.context.repositories.updates
            await long_poll(bot, self.running.handle, asyncio.Event(), updates)

    @property
    def is_quiet(self) -> bool:
        """Whether the bot only waits for updates."""
        if self.running is None or any(self.under_way[name] for name in self.under_way if name != POLL):
            return False
        context = self.running.context
        pending = context.outbox.waiting(), len(context.outbox._calls.tasks), context.repositories.changes.waiting
        return not any(pending)

    def require_alive(self) -> None:
        """Raise the error that has ended the bot, if any."""
        if self._main is not None and self._main.done():
            self._main.result()

    async def end(self) -> None:
        """End the bot at once, and cancel all its tasks."""
        self.died.set()
        while self.tasks:
            for task in self.tasks:
                task.cancel()
            await asyncio.sleep(0)
        await self._stack.aclose()

    async def passing(self, name: str, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call and return its answer, unless the bot dies at this call."""
        self._live_on()
        self.calls.append(name)
        self.total += 1
        number, point = len(self.calls), self.point
        if point == (number, False):
            self._die()
        self.under_way[name] += 1
        try:
            answer = await call()
        finally:
            self.under_way[name] -= 1
        self._live_on()
        if point == (number, True) and self.point is point:
            self._die()
        return answer

    def _live_on(self) -> None:
        if self.died.is_set():
            raise asyncio.CancelledError

    def _die(self) -> None:
        self.died.set()
        raise asyncio.CancelledError


@contextmanager
def owned_tasks() -> Any:
    """Record for each task the bot that has created it."""
    loop = asyncio.get_running_loop()

    def make(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T], **options: Any) -> asyncio.Task[T]:
        task = asyncio.Task(work, loop=loop, **options)
        process = _running.get()
        if process is not None:
            process.tasks.add(task)
            task.add_done_callback(process.tasks.discard)
        return task

    loop.set_task_factory(make)  # type: ignore[arg-type]
    try:
        yield
    finally:
        loop.set_task_factory(None)


async def _passing(name: str, call: Callable[[], Awaitable[T]]) -> T:
    """Make a call and return its answer; only calls by the bot's tasks are counted and may end it."""
    process = _running.get()
    return await (call() if process is None else process.passing(name, call))


def _counted(redis: Redis) -> Callable[..., Awaitable[Any]]:
    execute = redis.execute_command

    async def counted(*words: Any, **options: Any) -> Any:
        name = words[0] if words[0] in {"EVAL", "PING"} else f"{words[0]} {words[1]}"
        return await _passing(f"Redis {name}", lambda: execute(*words, **options))  # type: ignore[no-untyped-call]

    return counted


class _CountedRequest(AiohttpRequest):
    __slots__ = ()

    async def do_request(self, url: str, *rest: Any, **options: Any) -> tuple[int, bytes]:
        name = f"Telegram {url.rpartition('/')[2]}"
        return await _passing(name, lambda: super(_CountedRequest, self).do_request(url, *rest, **options))


class _CountedTransport(Transport):
    async def _once(self, call: Call, headers: Any) -> bytes | None:
        name = f"engine {call.method} {call.path}"
        return await _passing(name, lambda: super(_CountedTransport, self)._once(call, headers))

    async def stream(self, call: Call, opened: Callable[[], None]) -> AsyncIterator[ServerSentEvent]:
        await _passing(f"engine stream {call.path}", _nothing)
        async for event in Transport.stream(self, call, opened):
            yield event


async def _nothing() -> None:
    return
