"""The client for programs without asyncio: the calls of `EngineClient`, each of which waits for its answer.

    with SyncEngineClient.connect("http://127.0.0.1:8080") as engine:
        seated = engine.open_table(OpenTable(game=engine.games()[0].game, name="Anna"))
        for event in engine.events(seated.table.id, seated.token):
            ...

It has no calls of its own: a thread runs the asynchronous client. It may be used from several threads,
and in a notebook.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from functools import wraps
from threading import Thread
from typing import Any, Concatenate, ParamSpec, TypeVar

from locanda.client import EngineClient

P = ParamSpec("P")
T = TypeVar("T")

ENDED: Any = object()


class _LoopThread:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="locanda", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the work's result; it is cancelled if the waiting ends otherwise, as by Ctrl-C."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def _waiting(
    call: Callable[Concatenate[EngineClient, P], Coroutine[Any, Any, T]],
) -> "Callable[Concatenate[SyncEngineClient, P], T]":
    """Return a call that waits for its answer."""

    @wraps(call)
    def waiting(self: "SyncEngineClient", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.thread.run(call(self.engine, *args, **kwargs))

    return waiting


def _iterating(
    stream: Callable[Concatenate[EngineClient, P], AsyncGenerator[T, None]],
) -> "Callable[Concatenate[SyncEngineClient, P], Iterator[T]]":
    """Return a stream that waits for its next item."""

    @wraps(stream)
    def iterating(self: "SyncEngineClient", /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        items = stream(self.engine, *args, **kwargs)

        async def following() -> T:
            found: T = await anext(items, ENDED)
            return found

        try:
            while (item := self.thread.run(following())) is not ENDED:
                yield item
        finally:
            self.thread.run(items.aclose())

    return iterating


@contextmanager
def _connected(connecting: AbstractAsyncContextManager[EngineClient]) -> "Iterator[SyncEngineClient]":
    thread = _LoopThread()
    try:
        engine = thread.run(connecting.__aenter__())
        try:
            yield SyncEngineClient(engine, thread)
        finally:
            thread.run(_leave(connecting))
    finally:
        thread.close()


async def _leave(connecting: AbstractAsyncContextManager[EngineClient]) -> None:
    await connecting.__aexit__(None, None, None)


def _connecting(
    connect: Callable[P, AbstractAsyncContextManager[EngineClient]],
) -> "Callable[P, AbstractContextManager[SyncEngineClient]]":
    """Return a way to connect that waits."""

    @wraps(connect)
    def connecting(*args: P.args, **kwargs: P.kwargs) -> "AbstractContextManager[SyncEngineClient]":
        return _connected(connect(*args, **kwargs))

    return connecting


class SyncEngineClient:
    """Client of the engine's API whose calls wait for their answers; `EngineClient` describes them."""

    def __init__(self, engine: EngineClient, thread: _LoopThread) -> None:
        """Use `connect`."""
        self.engine = engine
        """The asynchronous client, whose calls belong into the thread."""
        self.thread = thread

    connect = staticmethod(_connecting(EngineClient.connect))

    def iterate(
        self,
        stream: Callable[Concatenate[EngineClient, P], AsyncGenerator[T, None]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Iterator[T]:
        """Yield what a stream over the other client yields, such as `locanda.export.exported_matches`."""
        return _iterating(stream)(self, *args, **kwargs)

    server = _waiting(EngineClient.server)
    games = _waiting(EngineClient.games)
    game = _waiting(EngineClient.game)
    lesson = _waiting(EngineClient.lesson)
    deal = _waiting(EngineClient.deal)
    moves_of = _waiting(EngineClient.moves_of)
    check_of = _waiting(EngineClient.check_of)
    play_of = _waiting(EngineClient.play_of)
    view_of = _waiting(EngineClient.view_of)
    rounds = _waiting(EngineClient.rounds)
    suggest = _waiting(EngineClient.suggest)
    playouts = _waiting(EngineClient.playouts)
    open_table = _waiting(EngineClient.open_table)
    change_table = _waiting(EngineClient.change_table)
    tables = _waiting(EngineClient.tables)
    lobby = _iterating(EngineClient.lobby)
    sit = _waiting(EngineClient.sit)
    leave = _waiting(EngineClient.leave)
    set_level = _waiting(EngineClient.set_level)
    set_name = _waiting(EngineClient.set_name)
    give_seed = _waiting(EngineClient.give_seed)
    come_back = _waiting(EngineClient.come_back)
    start = _waiting(EngineClient.start)
    answer_rematch = _waiting(EngineClient.answer_rematch)
    moves = _waiting(EngineClient.moves)
    play = _waiting(EngineClient.play)
    check = _waiting(EngineClient.check)
    hint = _waiting(EngineClient.hint)
    say = _waiting(EngineClient.say)
    remarks = _waiting(EngineClient.remarks)
    table = _waiting(EngineClient.table)
    event_page = _waiting(EngineClient.event_page)
    events = _iterating(EngineClient.events)
    subscribe = _waiting(EngineClient.subscribe)
    subscriptions = _waiting(EngineClient.subscriptions)
    unsubscribe = _waiting(EngineClient.unsubscribe)
    set_evening = _waiting(EngineClient.set_evening)
    proof = _waiting(EngineClient.proof)
    review = _waiting(EngineClient.review)
