"""A bot between Telegram's emulator and a real engine, which tests can stop and restart; helpers that play moves."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from unittest.mock import patch

from msgspec import structs
from redis.exceptions import ConnectionError as RedisConnectionError
from telegram.error import NetworkError

from locanda.client import EngineClient, NamedAccounts
from locanda.games.gatto_rosso import types as gatto_rosso
from services.common.processes import end
from services.engine import app as engine_app
from services.engine.service.assembly import Service
from services.engine.settings import EngineSettings
from services.engine.store import connect as connect_store
from services.engine.table.state import AnyTable, turn_of
from services.telegram.accounts import account_names
from services.telegram.app import RETRY, new_bot, running_bot
from services.telegram.following import facts
from services.telegram.following.announcements import Announcements
from services.telegram.following.followers import TableFollowers, awaits_others
from services.telegram.handlers.commands import publish_commands
from services.telegram.handlers.context import BotContext
from services.telegram.receiving import long_poll
from services.telegram.repositories.connection import connect as connect_bot
from services.telegram.repositories.repositories import Repositories
from services.telegram.sending.http_request import AiohttpRequest
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import load
from tests.emulator import Emulator, NotSeenError, Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton, Message
from tests.engine.fast_forward import fast_forward, one_move_ends_deal
from tests.engine.http.engine_server import EngineServer
from tests.redis_server import empty_database
from tests.secrecy import SecrecyGuard, guarded

SUITS = "♥♦♣♠"
STALE = "Il tavolo è andato avanti"
NOT_YET = "Non tocca ancora a te"


class BotHarness:
    """A bot, its engine and its Redis, which a test can stop and restart."""

    def __init__(
        self, telegram: Emulator, engine: EngineClient, redis_url: str, environment: Mapping[str, str]
    ) -> None:
        self._environment = environment
        self.telegram = telegram
        self.engine = engine
        self._redis_url = redis_url
        self.redis = connect_bot(redis_url)
        self._own_redis = self.redis
        self._polling: asyncio.Task[None] | None = None
        self._running: AsyncExitStack | None = None
        self.context: BotContext | None = None
        """The context of the running bot; None while the bot is stopped."""
        self.followers: TableFollowers | None = None
        self.secrecy: SecrecyGuard | None = None
        self.administered: Service
        """The engine's service, for the operator's calls."""

    async def open(self) -> None:
        """Start the bot."""
        stack = AsyncExitStack()
        self._own_redis = connect_bot(self._redis_url)
        stack.push_async_callback(self._own_redis.aclose)
        telegram = {"TELEGRAM_TOKEN": self.telegram.token, "TELEGRAM_API_URL": self.telegram.url}
        settings = load({**telegram, **self._environment})
        bot = await stack.enter_async_context(new_bot(settings))
        context, followers, handle = await stack.enter_async_context(
            running_bot(bot, settings, self.engine, self._own_redis, limits=RateLimits.none())
        )
        await publish_commands(context.bot)
        stop = asyncio.Event()
        self._polling = asyncio.create_task(long_poll(context.bot, handle, stop, context.repositories.updates))
        stack.push_async_callback(_finish, self._polling, stop)
        self._running, self.context, self.followers = stack, context, followers

    async def close(self) -> None:
        """Stop the bot; updates wait in the emulator meanwhile."""
        if self._running is not None:
            await self._running.aclose()
            self._running = None

    async def kill(self) -> None:
        """Stop the bot as in a crash: from now on it reaches neither Telegram nor Redis."""
        assert self.context is not None
        assert self._polling is not None
        self.redis_away()
        # The class is replaced, because from Python 3.13 on python-telegram-bot's objects accept no new attributes.
        self.context.bot.request.__class__ = _Unreachable
        await end(self._polling)
        await self.close()

    def redis_away(self) -> None:
        """Make every Redis command of the running bot fail from now on."""
        self._own_redis.execute_command = _refused  # type: ignore[method-assign]

    async def restart(self) -> None:
        """Stop the bot and start it again."""
        await self.close()
        await self.open()

    def announcements(self) -> Announcements:
        """Return the announcer of maintenance, for tests that do not wait a minute."""
        context = self.context
        assert context is not None
        return Announcements(self.engine, context.repositories, context.tables.lookup, context.outbox)

    async def settle(self) -> None:
        """Wait until the bot's tables agree with the engine's, and every message is delivered."""
        assert self.context is not None
        assert self.followers is not None
        async with asyncio.timeout(60):
            while not await self._is_settled(self.context, self.followers):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await self.context.outbox._loop.flush()

    async def _is_settled(self, context: BotContext, followers: TableFollowers) -> bool:
        chat_tables = context.repositories.chat_tables
        for chat_table in await chat_tables.all():
            follower = followers.find(chat_table.ref)
            if chat_table.over and not chat_table.closed:
                continue
            if follower is None or chat_table.closed or not context.outbox.is_settled(chat_table.ref):
                return False
            if not follower.idle and follower.running:
                return False
            if chat_table.engine is not None:
                table = await self.engine.table(chat_table.engine)
                shows_end = table.status == "over" and not awaits_others(table)
                if shows_end or follower.drawn_version < table.version:
                    return False
        return not context.repositories.changes.waiting


async def _finish(polling: "asyncio.Task[None]", stop: asyncio.Event) -> None:
    stop.set()
    if not polling.done():
        await polling


async def _refused(*_: object, **__: object) -> None:
    raise RedisConnectionError("Redis is away")


class _Unreachable(AiohttpRequest):
    __slots__ = ()

    async def do_request(self, *_: object, **__: object) -> tuple[int, bytes]:
        raise NetworkError("the process is dead")


ENGINE_SETTINGS = EngineSettings(
    engine_tables_per_minute=0,
    engine_seats_per_minute=0,
    engine_client_cpu_ms=0,
    engine_writes_per_second=0,
    engine_streams=0,
    engine_review_iterations=100,
)
"""An engine without limits, whose reviews are short."""


@asynccontextmanager
async def bot_harness(
    telegram: Emulator,
    *,
    think_ms: int = 10,
    passes: bool = False,
    environment: Mapping[str, str] | None = None,
    engine_settings: EngineSettings = ENGINE_SETTINGS,
) -> AsyncIterator[BotHarness]:
    """Start an engine, and a bot between the engine and the emulator; fail at the end if the bot has shown a secret.

    Without `passes`, the bot does not pass for people; `environment` has further settings of the bot.
    """
    settings = structs.replace(engine_settings, engine_think_ms=think_ms)
    async with AsyncExitStack() as stack:
        if not passes:
            stack.enter_context(patch.object(facts, "when_to_pass", lambda *_, **__: "never"))
        store = await connect_store(await stack.enter_async_context(empty_database()))
        opened_engine = await stack.enter_async_context(engine_app.running_engine(settings, store))
        server = await stack.enter_async_context(EngineServer(opened_engine, None))
        key = settings.engine_accounts_key
        accounts = NamedAccounts(key, account_names(telegram.token)) if key else None
        client = EngineClient.connect(str(server.make_url("")), retry=RETRY, accounts=accounts)
        engine = await stack.enter_async_context(client)
        redis_url = await stack.enter_async_context(empty_database())
        harness = BotHarness(telegram, engine, redis_url, environment or {})
        harness.administered = opened_engine.service
        harness.secrecy = await stack.enter_async_context(guarded(telegram, store))
        await harness.open()
        try:
            yield harness
        finally:
            await harness.close()
            await harness.redis.aclose()


def hand(person: Person) -> Message:
    """Return a person's newest message with cards on its buttons."""
    newest = next((message for message in reversed(person.private.messages) if cards(message)), None)
    assert newest is not None, person.private.render()
    return newest


def cards(message: Message) -> list[InlineButton]:
    """Return the buttons that are cards."""
    return [button for row in message.rows for button in row if button.text[-1] in SUITS]


def on_turn(people: list[Person]) -> Person | None:
    """Return the person on turn according to the hand messages, if any."""
    for person in people:
        if any("Tocca a te" in message.text and "Passo" in message.labels for message in person.private.messages):
            return person
    return None


async def turn_of_somebody(people: list[Person]) -> Person:
    """Wait until one of these people is on turn."""
    await people[0].private.until(lambda _: on_turn(people))
    person = on_turn(people)
    assert person is not None
    return person


async def plays(person: Person) -> str:
    """Press the buttons of a hand, marked ones first, until a move is played.

    Return the label of the move's button, empty if the button was stale.
    """
    message = next(shown for shown in reversed(person.private.messages) if "Tocca a te" in shown.text)
    seen = message.text
    buttons = [*cards(message), message.button("Passo")]
    for button in sorted(buttons, key=lambda button_: button_.raw.get("style") != "primary"):
        answer = await person.taps(person.private, button, message=message)
        if (answer.text or STALE).startswith((STALE, NOT_YET)):
            await _moved_on(person, seen)
            return "" if answer.text else button.text
    raise AssertionError(f"{person} can play nothing\n{person.private.render()}")


async def all_stay(people: list[Person], group: Chat) -> None:
    """Agree to another match for all people, with the group's button."""
    for person in people:
        await person.taps(group, "Ci sto")


async def plays_until(people: list[Person], done: Callable[[], object], most: int = 3000) -> None:
    """Play for these people until `done` is true."""
    for _ in range(most):
        await people[0].private.until(lambda _: done() or on_turn(people))
        person = on_turn(people)
        if done() or person is None:
            return
        await plays(person)
    raise AssertionError("it never came to this")


async def plays_until_one_has_one_card(harness: BotHarness, people: list[Person]) -> None:
    """Play for everybody until one of these people can end the deal with their last card, or the deal is over."""
    repositories = Repositories(harness.redis)
    [chat_table] = await repositories.chat_tables.all()
    tokens = await repositories.seats.tokens(chat_table.ref)
    assert chat_table.engine is not None
    at_seat = {(await harness.engine.table(chat_table.engine, tokens[person.id])).you: person for person in people}

    def can_end(table: AnyTable) -> bool:
        deal = table.deal
        if not isinstance(deal, gatto_rosso.DealState) or deal.turn is None or deal.turn not in at_seat:
            return False
        return deal.hands[deal.turn].bit_count() == 1 and one_move_ends_deal(table)

    table = await fast_forward(harness.administered, chat_table.engine, can_end)
    if can_end(table):
        person = at_seat[turn_of(table)]
        await person.private.until(partial(_has_one_card, person))


def _has_one_card(person: Person, _: object) -> bool:
    return on_turn([person]) is not None and len(cards(hand(person))) == 1


async def _moved_on(person: Person, seen: str) -> None:
    """Wait until the hand of a person who has played is drawn again."""
    with suppress(NotSeenError):
        await person.private.until(lambda place: all(message.text != seen for message in place.messages), timeout=1)
