"""The Emulator class: starts the server, makes people and chats, and schedules faults."""
# ruff: noqa: ASYNC109 - tests pass their own timeouts

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from types import TracebackType
from typing import Literal, Self

from tests.emulator.chats import PATIENCE, Chat, NotSeenError
from tests.emulator.clock import EmulatorClock
from tests.emulator.flood import FloodLimits
from tests.emulator.journal import ChatEvent, Journal, RecordedCall
from tests.emulator.methods.profile import commands_for
from tests.emulator.people import Person
from tests.emulator.refusals import PREFIXES, Fault, RefusedError
from tests.emulator.server import serving
from tests.emulator.state import JSON, ChatKind, ChatState, Shown, User
from tests.emulator.updates import Update
from tests.emulator.webhook import delivering
from tests.emulator.world import Behaviour, World

BotStanding = Literal["member", "administrator", "absent"]
TOKEN = "7000000001:AAEmulatedTokenForTests_0123456789abc"


class Emulator:
    """A Bot API server for one bot, with people and chats: an async context manager that serves inside its context."""

    def __init__(
        self,
        *,
        token: str = TOKEN,
        username: str = "locanda_bot",
        name: str = "Locanda",
        limits: FloodLimits | None = None,
        ephemeral: bool = False,
        premium: bool = False,
        privacy: bool = True,
        strict: bool = True,
        callback_seconds: float = 15.0,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        bot = User(int(token.split(":", maxsplit=1)[0]), name, username=username, is_bot=True)
        behaviour = Behaviour(ephemeral, premium, privacy, strict, callback_seconds)
        self.world = World(token, bot, behaviour, limits or FloodLimits.none())
        self.token = token
        self.username = username
        self.url = ""
        self._host = host
        self._port = port
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self.url = await self._stack.enter_async_context(serving(self.world, self._host, self._port))
        await self._stack.enter_async_context(delivering(self.world))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()
        if self.world.crashes and error is None:
            raise RuntimeError("the emulator failed to serve a request") from self.world.crashes[0]

    @property
    def clock(self) -> EmulatorClock:
        return self.world.clock

    @property
    def journal(self) -> Journal:
        return self.world.journal

    @property
    def pending(self) -> list[Update]:
        """The updates that the bot has not confirmed."""
        return self.world.updates.pending

    @property
    def limits(self) -> FloodLimits:
        return self.world.flood.limits

    @limits.setter
    def limits(self, limits: FloodLimits) -> None:
        self.world.flood.limits = limits

    def person(
        self,
        name: str,
        *,
        language: str | None = None,
        username: str | None = None,
        last_name: str | None = None,
        user_id: int | None = None,
        started: bool = False,
    ) -> Person:
        """Makes a person; with `started`, they have already pressed Start."""
        user = User(user_id or self.world.new_user_id(), name, last_name, username, language, started=started)
        self.world.users[user.id] = user
        bot = self.world.bot
        people = {user.id: user, bot.id: bot}
        self.world.chats[user.id] = ChatState(user.id, "private", f"{user.name} ⇄ {bot.name}", user, people=people)
        self.world.chats[user.id].standing = {user.id: "member", bot.id: "member"}
        return Person(self.world, user)

    def group(
        self, title: str, people: Sequence[Person], *, admins: Sequence[Person] = (), bot: BotStanding = "member"
    ) -> Chat:
        """Makes a basic group; its first person is the creator."""
        return self._group("group", title, people, admins, bot)

    def supergroup(
        self, title: str, people: Sequence[Person], *, admins: Sequence[Person] = (), bot: BotStanding = "member"
    ) -> Chat:
        """Makes a supergroup."""
        return self._group("supergroup", title, people, admins, bot)

    def forum(
        self, title: str, people: Sequence[Person], *, admins: Sequence[Person] = (), bot: BotStanding = "member"
    ) -> Chat:
        """Makes a supergroup with topics."""
        chat = self._group("supergroup", title, people, admins, bot)
        chat.state.is_forum = True
        return chat

    def watch(self, watcher: Callable[[ChatEvent], None]) -> None:
        """Calls the watcher for every chat event from now on."""
        self.world.watchers.append(watcher)

    @contextmanager
    def inspected_by(self, inspector: Callable[[RecordedCall], Awaitable[None]]) -> Iterator[None]:
        """Passes every call inside the context to the inspector before it takes effect, including refused calls."""
        self.world.inspectors.append(inspector)
        try:
            yield
        finally:
            self.world.inspectors.remove(inspector)

    def shown_to_others(self, person: Person) -> list[Shown]:
        """Returns all texts shown so far, in any chat, to anyone but that person."""
        return [shown for chat in self.world.chats.values() for shown in chat.history if shown.to - {person.id}]

    def fail_next(
        self,
        method: str,
        status: int = 500,
        description: str | None = None,
        parameters: JSON | None = None,
        *,
        times: int = 1,
        chat: Chat | None = None,
    ) -> None:
        """Refuses the next calls of a method, which have no effect."""
        words = description or PREFIXES.get(status, "Bad Gateway")
        refusal = RefusedError(status, words, parameters)
        self.world.faults.ordered.append(Fault(method, times, chat.id if chat else None, refusal=refusal))

    def drop_next(self, method: str, *, times: int = 1, chat: Chat | None = None, before: bool = False) -> None:
        """Cuts the connections of the next calls after or, with `before`, before they take effect."""
        cut: Literal["before", "after"] = "before" if before else "after"
        self.world.faults.ordered.append(Fault(method, times, chat.id if chat else None, cut=cut))

    def delay_next(self, method: str, seconds: float, *, times: int = 1, chat: Chat | None = None) -> None:
        """Delays the answers of the next calls, which take effect at once."""
        self.world.faults.ordered.append(Fault(method, times, chat.id if chat else None, delay=seconds))

    def flood(self, chat: Chat, seconds: float) -> None:
        """Answers 429 to all sends and edits in the chat for these seconds."""
        self.world.flood.punish(chat.id, seconds)

    @contextmanager
    def outage(self) -> Iterator[None]:
        """Cuts every connection within the context."""
        self.world.faults.outage = True
        try:
            yield
        finally:
            self.world.faults.outage = False

    async def until(self, true: Callable[[], object], *, timeout: float = PATIENCE) -> None:
        """Waits until the condition holds. Raises NotSeenError after `timeout` seconds."""
        if not await self.world.changes.until(true, timeout):
            raise NotSeenError(f"the condition did not come true within {timeout} s")

    def commands_for(self, person: Person, chat: Chat) -> list[JSON]:
        """Returns the command menu that the person sees in the chat."""
        return commands_for(self.world, person.user, chat.state)

    def _group(
        self, kind: ChatKind, title: str, people: Sequence[Person], admins: Sequence[Person], bot: BotStanding
    ) -> Chat:
        chat = ChatState(self.world.new_chat_id(supergroup=kind == "supergroup"), kind, title)
        for person in [*people, *admins]:
            chat.people[person.id] = person.user
            chat.standing[person.id] = "administrator" if person in admins else "member"
        chat.standing[people[0].id] = "creator"
        if bot != "absent":
            chat.people[self.world.bot.id] = self.world.bot
            chat.standing[self.world.bot.id] = bot
        self.world.chats[chat.id] = chat
        return Chat(self.world, chat)
