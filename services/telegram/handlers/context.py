"""Arguments of the handlers: the bot's parts, the sender of a command, a button press; and their reply."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from msgspec import Struct, structs
from telegram import Bot, ChatMember, ChatMemberRestricted, Message, User
from telegram import Chat as TelegramChat
from telegram.error import TelegramError

from locanda.messages import Table
from locanda.translations import Language, nearest_language
from services.common.names import clean_name
from services.common.processes import BackgroundTasks
from services.telegram.drawing.facts import AppLinks
from services.telegram.evenings.facts import EveningReader
from services.telegram.following.titles import Titles
from services.telegram.records import NO_ID, ChatTable, PersonRecord, TableSlot
from services.telegram.repositories.people_and_chats import ChatRepository, PersonRepository
from services.telegram.repositories.repositories import Repositories
from services.telegram.screens.table import TableViewModel
from services.telegram.seasons.following import Seasons
from services.telegram.sending.ephemeral import EphemeralMessages
from services.telegram.sending.outbox import Outbox
from services.telegram.tables.lookup import ActionRefusedError, GameCatalogue
from services.telegram.tables.tables import Tables
from services.telegram.updates import PressedChat, PressedMessage, TelegramUser

ADMINISTRATORS = {"creator", "administrator"}
BELIEVED_SECONDS, DOUBTED_SECONDS = 60.0, 5.0
"""Seconds for which a cached membership is used, and for which a cached administrator status is used."""
OUTSIDE = {"left", "kicked"}
"""The statuses of a chat member who is not in the chat (Bot API, ChatMember)."""


def is_outside(member: ChatMember) -> bool:
    """Return whether a person is not in the chat. A restricted member may be inside or outside the chat."""
    return member.status in OUTSIDE or (isinstance(member, ChatMemberRestricted) and not member.is_member)


class GroupMembers:
    """Cache of groups' members and administrators, read from Telegram.

    Handlers run one at a time for each person and chat, so they must not wait for Telegram each time.
    """

    def __init__(self, bot: Bot, now: Callable[[], float] = time.monotonic) -> None:
        self._bot = bot
        self._now = now
        self._known: dict[tuple[int, int], tuple[ChatMember, float]] = {}
        """Telegram's last answer and when it came, by group and person."""

    async def require(self, chat_table: ChatTable, user: int) -> None:
        """Raise `ActionRefusedError` unless the person is in the table's group, or if Telegram does not answer."""
        if chat_table.alone:
            raise ActionRefusedError("no_table")
        await self.require_in(chat_table.chat, user)

    async def require_in(self, chat: int, user: int) -> None:
        """Raise `ActionRefusedError` if a person is not in the group, or if Telegram does not answer."""
        try:
            member = await self._member(chat, user, BELIEVED_SECONDS)
            if is_outside(member):  # the person may have joined since the answer was cached
                member = await self._member(chat, user, 0.0)
        except TelegramError:
            raise ActionRefusedError("membership_unknown") from None
        if is_outside(member):
            raise ActionRefusedError("not_in_group")

    async def is_administrator(self, chat: int, user: int) -> bool:
        """Return whether a person is an administrator of a group; false if Telegram does not answer."""
        try:
            return (await self._member(chat, user, DOUBTED_SECONDS)).status in ADMINISTRATORS
        except TelegramError:
            return False

    async def _member(self, chat: int, user: int, seconds: float) -> ChatMember:
        """Return a person's membership in a group, cached for at most `seconds`. Raises `TelegramError`."""
        now = self._now()
        if (chat, user) in self._known:
            member, said = self._known[chat, user]
            if now - said < seconds:
                return member
        member = await self._bot.get_chat_member(chat, user)
        self._known = {key: known for key, known in self._known.items() if now - known[1] < BELIEVED_SECONDS}
        self._known[chat, user] = member, now
        return member

    def forget(self, chat: int, user: int) -> None:
        """Remove a person's membership from the cache, because it has changed."""
        self._known.pop((chat, user), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotContext:
    """The parts of the bot that handlers call."""

    bot: Bot
    repositories: Repositories
    catalogue: GameCatalogue
    tables: Tables
    outbox: Outbox
    members: GroupMembers
    background: BackgroundTasks
    ephemeral: EphemeralMessages
    evenings: EveningReader
    titles: Titles
    seasons: Seasons
    links: AppLinks
    owner: int = 0
    """The bot owner's Telegram id; 0 if not set."""

    async def keep_newer(self, slot: TableSlot, press: "ButtonPress") -> None:
        """Keep the newer of a slot's known message and the pressed message, and delete the other.

        A slot has two messages if Telegram's answer to sendMessage was lost. Only a press then reveals the second id.
        """
        known = (await self.repositories.messages.by_slot(slot.ref)).get(slot, NO_ID)
        if known not in {NO_ID, press.message}:
            self.outbox.delete(press.chat, min(known, press.message))
        await self.outbox.adopt(slot, press.message)
        self.repositories.changes.note_table(slot.ref)

    def show_again(self, ref: str, slot: TableSlot | None = None, *, replace: bool = False) -> None:
        """Send a table's messages (or one slot's) again if they are missing; with `replace`, always as new messages."""
        self.outbox.doubt(ref, slot, replace=replace)
        self.repositories.changes.note_table(ref)

    def link(self, payload: str) -> str:
        """Return the deep link that opens the bot's private chat with a payload (Bot API, Deep linking)."""
        return f"https://t.me/{self.bot.username}?start={payload}"

    async def require_host(self, chat: int, user: int, *, anonymous: bool = False) -> None:
        """Raise `ActionRefusedError` for a person who may not open and close tables in this chat."""
        if chat > 0 or anonymous or (await self.repositories.chats.chat(chat)).hosts == "all":
            return
        if not await self.members.is_administrator(chat, user):
            raise ActionRefusedError("hosts_only")


class CommandSender(Struct, frozen=True):
    """The sender of a command, and the chat for the answer."""

    user: int
    person: PersonRecord | None
    """None for an anonymous administrator, who writes as the group."""
    chat: int
    thread: int | None
    language: Language
    """The group's language in a group, the person's in a private chat."""
    message: int = NO_ID
    """As in a `ButtonPress`: a command has no message with a button."""

    @property
    def private(self) -> bool:
        """Whether this is a private chat."""
        return self.chat > 0

    @property
    def anonymous(self) -> bool:
        """Whether the sender is an anonymous administrator, who writes as the group."""
        return self.person is None


async def view_model(context: BotContext, user: int, ref: str) -> TableViewModel:
    """Return the view model of a table for a person seated at it, in private."""
    chat_table = await context.tables.lookup.chat_table(ref)
    table, _ = await context.tables.lookup.view_for(chat_table, user)
    place = "" if chat_table.alone else (await context.repositories.chats.chat(chat_table.chat)).title
    return structs.replace(await _model(context, chat_table, table), place=place)


async def public_model(context: BotContext, ref: str) -> TableViewModel:
    """Return the view model of a table for its group."""
    chat_table = await context.tables.lookup.chat_table(ref)
    table = await context.tables.lookup.public_view(chat_table)
    if table is None:
        raise ActionRefusedError("stale")
    return structs.replace(
        await _model(context, chat_table, table), letter=await context.tables.lookup.letter(chat_table)
    )


async def _model(context: BotContext, chat_table: ChatTable, table: Table) -> TableViewModel:
    game = await context.catalogue.known(chat_table.game)
    return TableViewModel(ref=chat_table.ref, game=game, table=table, now=datetime.now(UTC), alone=chat_table.alone)


def thread_of(message: Message | PressedMessage) -> int | None:
    """Return the forum topic of a message; threads of replies do not count (Bot API, Message.is_topic_message)."""
    return message.message_thread_id if message.is_topic_message else None


async def sender_of(repositories: Repositories, message: Message) -> CommandSender | None:
    """Return the sender of a command; None for a channel that writes in a group."""
    chat = message.chat
    if message.sender_chat is not None and message.sender_chat.id != chat.id:
        return None
    anonymous = message.sender_chat is not None
    user = message.from_user
    person = (
        None if anonymous or user is None else await remember_person(repositories.people, user, private=chat.id > 0)
    )
    if chat.id > 0:
        language = person.language if person else "en"
        return CommandSender(chat.id, person, chat.id, None, language)
    group = await remember_group(repositories.chats, chat, user)
    return CommandSender(user.id if user else 0, person, chat.id, thread_of(message), group)


async def remember_person(people: PersonRepository, user: User | TelegramUser, *, private: bool) -> PersonRecord:
    """Store a person. `private` shows that the bot may write to them: they acted in their private chat."""
    name = clean_name(user.first_name)
    return await people.remember(user.id, name, user.language_code, reachable=True if private else None)


async def remember_group(
    chats: ChatRepository, chat: TelegramChat | PressedChat, user: User | TelegramUser | None
) -> Language:
    """Store a group and return its language; a new group gets the language of its first sender."""
    record = await chats.remember(
        chat.id, chat.title or "", chat.username or "", nearest_language(user.language_code if user else None)
    )
    return record.language


class ButtonPress(Struct, frozen=True):
    """A press of a button: the person and the message."""

    id: str
    """Telegram's id of the press, the same if it is delivered twice."""
    person: PersonRecord
    chat: int
    thread: int | None
    message: int
    language: Language
    """The language of the chat with the button."""
    ephemeral: int | None = None
    """The message's id, if it is an ephemeral message: one that only the presser sees in the group."""

    @property
    def private(self) -> bool:
        """Whether this is a private chat."""
        return self.chat > 0

    @property
    def key(self) -> str:
        """The idempotency key of the press, so that the engine acts once if Telegram delivers it twice.

        The prefix is needed because the engine wants at least 16 characters, and Telegram's ids may be shorter.
        """
        return f"telegram-callback-{self.id}"


class Reply(Struct, frozen=True):
    """The answer to a press: a toast, an alert if `alert`, a link to open (`url`), or nothing."""

    text: str = ""
    alert: bool = False
    url: str | None = None
