"""The bot at work between Telegram's emulator and a real engine, to be stopped and started again in a test."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import cast

from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services.engine import app as engine_app
from services.engine.settings import Settings as EngineSettings
from services.engine.store.connect import connect as connect_store
from services.telegram.app import announce_commands, opened
from services.telegram.handlers.house import House
from services.telegram.outbox.pace import Limits
from services.telegram.receiving import poll
from services.telegram.settings import load
from shared.client import EngineClient
from tests.emulator import Emulator, Person
from tests.emulator.state import Button, Message
from tests.engine.http.house import EngineServer

SUITS = "♥♦♣♠"
STALE = "Il tavolo è andato avanti"


class Inn:
    """Everything that runs, and how people play at it."""

    def __init__(self, telegram: Emulator, engine: EngineClient, memory: FakeServer) -> None:
        self.telegram = telegram
        self.engine = engine
        self.redis = cast("Redis", FakeAsyncRedis(server=memory, decode_responses=True))
        self._running: AsyncExitStack | None = None
        self.rooms: House | None = None
        """The rooms of the bot that runs."""

    async def open(self) -> None:
        """Start the bot."""
        stack = AsyncExitStack()
        settings = load({"TELEGRAM_TOKEN": self.telegram.token, "TELEGRAM_API_URL": self.telegram.url})
        house, handle = await stack.enter_async_context(opened(settings, self.engine, self.redis, limits=Limits.none()))
        await announce_commands(house.bot)
        stop = asyncio.Event()
        polling = asyncio.create_task(poll(house.bot, handle, stop))
        stack.push_async_callback(_finish, polling, stop)
        self._running, self.rooms = stack, house

    async def close(self) -> None:
        """Stop the bot; what people do meanwhile waits for it."""
        if self._running is not None:
            await self._running.aclose()
            self._running = None

    async def restart(self) -> None:
        """Stop the bot and start it again."""
        await self.close()
        await self.open()


async def _finish(polling: "asyncio.Task[None]", stop: asyncio.Event) -> None:
    stop.set()
    await polling


@asynccontextmanager
async def inn(telegram: Emulator, *, think_ms: int = 10) -> AsyncIterator[Inn]:
    """Open the inn."""
    settings = EngineSettings(
        engine_think_ms=think_ms,
        engine_tables_per_minute=0,
        engine_seats_per_minute=0,
        engine_requests_per_second=0,
        engine_streams=0,
    )
    async with AsyncExitStack() as stack:
        opened_engine = await stack.enter_async_context(engine_app.opened(settings, await connect_store(None)))
        server = await stack.enter_async_context(EngineServer(opened_engine))
        engine = await stack.enter_async_context(EngineClient.connect(str(server.make_url(""))))
        house = Inn(telegram, engine, FakeServer())
        await house.open()
        try:
            yield house
        finally:
            await house.close()
            await house.redis.aclose()


def hand(person: Person) -> Message:
    """Return a person's newest message with cards on its buttons."""
    found = next((message for message in reversed(person.private.messages) if cards(message)), None)
    assert found is not None, person.private.render()
    return found


def cards(message: Message) -> list[Button]:
    """Return the buttons that are cards."""
    return [button for row in message.rows for button in row if button.text[-1] in SUITS]


def on_turn(people: list[Person]) -> Person | None:
    """Return whose turn it is, as their hand messages say."""
    for person in people:
        if any("Tocca a te" in message.text and "Passo" in message.labels for message in person.private.messages):
            return person
    return None


async def turn_of_somebody(people: list[Person], most: int = 500) -> Person:
    """Wait until one of these people is on turn."""
    for _ in range(most):
        person = on_turn(people)
        if person is not None:
            return person
        await asyncio.sleep(0.01)
    raise AssertionError("nobody comes on turn")


async def plays(person: Person) -> str:
    """Press the buttons of one's hand until something is played; return its label, or nothing where it was stale."""
    message = next(each for each in reversed(person.private.messages) if "Tocca a te" in each.text)
    seen = message.text
    for button in [*cards(message), message.button("Passo")]:
        answer = await person.taps(person.private, button, message=message)
        if (answer.text or STALE).startswith(STALE):
            await _moved_on(person, seen)
            return "" if answer.text else button.text
    raise AssertionError(f"{person} can play nothing\n{person.private.render()}")


async def plays_until(people: list[Person], done: Callable[[], object], most: int = 3000) -> None:
    """Let these people play until something is so."""
    for _ in range(most):
        if done():
            return
        person = on_turn(people)
        if person is None:
            await asyncio.sleep(0.01)
        else:
            await plays(person)
    raise AssertionError("it never came to this")


async def _moved_on(person: Person, seen: str) -> None:
    """Wait until the hand of somebody who has played is drawn anew."""
    for _ in range(100):
        if all(message.text != seen for message in person.private.messages):
            return
        await asyncio.sleep(0.01)
