"""One run from a snapshot: a bot handles one step and may die meanwhile; then another bot is started."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from types import SimpleNamespace
from typing import Literal, TypeAlias
from unittest.mock import patch

from msgspec import structs

from locanda.client import EngineClient
from services.engine import app as engine_app
from services.engine.service import advice, computers, workers
from services.engine.store import connect as connect_store
from services.engine.table import rematch
from services.engine.table import turns as table_turns
from services.telegram.following import facts
from services.telegram.following.followers import awaits_others
from services.telegram.play import turns
from services.telegram.records import ChatTable
from services.telegram.repositories import keys
from services.telegram.repositories.connection import connect as connect_bot
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables import match, seating
from tests.demo.matches import without_chance
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.engine.http.engine_server import NO_LIMITS, EngineServer
from tests.telegram.crashes.bot_process import BotProcess, owned_tasks
from tests.telegram.crashes.snapshots import Snapshot, copy_of, emulator_of, restore, taken

SETTLED_SECONDS = 60.0
LOOK_SECONDS = 0.004
TURN_SECONDS = 3600
"""Time for a turn, and for the answers to a rematch."""
Until: TypeAlias = Literal["deal", "match", "over"]
"""The point until which people play: one or two moves before the end of the deal or match, or the match's end."""
ENGINE = structs.replace(NO_LIMITS, engine_think_cpu_ms=5, engine_streams=0)


class Scene:
    """A world in which a bot runs: people, chats, engine, and the bot's Redis."""

    def __init__(
        self, telegram: Emulator, engine: EngineClient, engine_url: str, redis: str, engine_redis: str
    ) -> None:
        self.telegram = telegram
        self.engine = engine
        self.engine_url = engine_url
        self.redis_url = redis
        self.engine_redis = engine_redis
        self.redis = connect_bot(redis)
        self.bot = BotProcess(telegram, engine_url, redis)

    @property
    def people(self) -> list[Person]:
        """All people in Telegram's emulator."""
        world = self.telegram.world
        return [Person(world, user) for user in world.users.values() if not user.is_bot]

    @property
    def group(self) -> Chat | None:
        """The group, if there is one."""
        world = self.telegram.world
        return next((Chat(world, chat) for chat in world.chats.values() if not chat.private), None)

    @property
    def place(self) -> Chat:
        """The chat with the table."""
        return self.group or self.people[0].private

    async def chat_table(self) -> ChatTable | None:
        """Return the table, if there is one."""
        return next(iter(await self._chat_tables()), None)

    async def start_again(self) -> None:
        """End the bot, and start another one."""
        await self.bot.end()
        self.bot = BotProcess(self.telegram, self.engine_url, self.redis_url)
        self.bot.start()

    async def settle(self) -> bool:
        """Wait until every screen is up to date; return false if the bot dies before that."""
        calls = -1
        async with asyncio.timeout(SETTLED_SECONDS):
            while True:
                if self.bot.died.is_set():
                    return False
                self.bot.require_alive()
                quiet = calls == self.bot.total and await self._is_settled()
                if quiet and self.bot.is_quiet and calls == self.bot.total:  # no new call during the check
                    return True
                calls = self.bot.total
                await asyncio.sleep(LOOK_SECONDS)

    async def _is_settled(self) -> bool:
        return (
            self.bot.is_quiet
            and self._hears_all()
            and not await self.redis.exists(keys.UPDATES, keys.DELIVERIES)
            and all([await self._is_drawn(chat_table) for chat_table in await self._chat_tables()])
        )

    def _hears_all(self) -> bool:
        """Return whether the bot has received all updates and waits for the next one."""
        return not self.telegram.world.updates.pending and self.telegram.world.poll is not None

    async def _chat_tables(self) -> list[ChatTable]:
        tables = Repositories(self.redis).chat_tables
        return await tables.all()

    async def _is_drawn(self, chat_table: ChatTable) -> bool:
        """Return whether a table's screens agree with the engine, and only people can make the next move."""
        if chat_table.over and not chat_table.closed:
            return True
        assert self.bot.running is not None
        follower = self.bot.running.followers.find(chat_table.ref)
        if follower is None or chat_table.closed or (follower.running and not follower.idle):
            return False
        if chat_table.engine is None:
            return True
        table = await self.engine.table(chat_table.engine)
        if follower.drawn_version < table.version or (table.status == "over" and not awaits_others(table)):
            return False
        turn = None if table.deal is None else table.deal.turn
        return turn is None or table.seats[turn].kind != "computer"

    async def play(self, until: Until, most: int | None) -> int:
        """Play for all people over the API until a point or for `most` moves; return the number of moves."""
        chat_table, moves = await self.chat_table(), 0
        assert chat_table is not None
        assert chat_table.engine is not None
        tokens = (await Repositories(self.redis).seats.tokens(chat_table.ref)).values()
        seats = {(await self.engine.table(chat_table.engine, token)).you: token for token in tokens}
        table = await self.engine.table(chat_table.engine)
        deal = table.match.deal
        while table.deal is not None and moves != most and table.status == "playing":
            if until == "deal" and table.match.deal != deal:
                break
            token = seats.get(table.deal.turn)
            if token is None:
                table = await self.engine.table(chat_table.engine, after=table.version)
                continue
            seen = await self.engine.table(chat_table.engine, token)
            table = (await self.engine.play(chat_table.engine, token, seen.moves[0])).table
            moves += 1
        return moves

    async def snapshot(self) -> Snapshot:
        """Return a snapshot of Telegram, the engine's Redis and the bot's Redis."""
        return await taken(self.telegram.world, self.redis_url, self.engine_redis)


async def _inline(_: object, think: Callable[[bytes], bytes], data: bytes, *rest: object) -> bytes:
    return think(data)


@asynccontextmanager
async def scene(
    telegram: Emulator, databases: tuple[str, str], begin: Snapshot | None = None, *, number: int = 0
) -> AsyncIterator[Scene]:
    """Yield a scene, from a snapshot if one is given. Its bot is not started yet.

    Random draws are the same in all scenes with the same number.
    """
    redis, engine_redis = databases
    if begin is not None:
        await restore(redis, begin.bot)
        await restore(engine_redis, begin.engine)
        telegram = emulator_of(copy_of(begin.world))
    async with AsyncExitStack() as stack:
        stack.enter_context(without_chance(number))
        for thinking in (advice, computers):
            stack.enter_context(patch.object(thinking, "secrets", SimpleNamespace(token_bytes=bytes)))
        for drawing in (seating, match):  # a restarted bot draws the same numbers
            stack.enter_context(patch.object(drawing, "token_urlsafe", lambda size: f"{number:0{size}}"))
        for answering in (table_turns, rematch):  # so that no rematch times out during a step
            stack.enter_context(patch.object(answering, "REMATCH_MS", 1000 * TURN_SECONDS))
        stack.enter_context(patch.object(turns, "SHARE", turns.SHARE))
        stack.enter_context(patch.object(facts, "when_to_pass", lambda *_, **__: "never"))
        stack.enter_context(patch.object(workers.Workers, "run", _inline))
        stack.enter_context(owned_tasks())
        await stack.enter_async_context(telegram)
        store = await connect_store(engine_redis)
        opened = await stack.enter_async_context(engine_app.running_engine(ENGINE, store))
        server = await stack.enter_async_context(EngineServer(opened, None))
        url = str(server.make_url(""))
        engine = await stack.enter_async_context(EngineClient.connect(url))
        new_scene = Scene(telegram, engine, url, redis, engine_redis)
        stack.push_async_callback(new_scene.redis.aclose)
        try:
            yield new_scene
        finally:
            await new_scene.bot.end()
