"""The state of the emulated Telegram: accounts, chats, one bot, its updates and unanswered taps."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tests.emulator.clock import ChangeSignal, EmulatorClock, Numbers
from tests.emulator.flood import Flood, FloodLimits
from tests.emulator.journal import ChatEvent, EventKind, Journal, RecordedCall
from tests.emulator.refusals import Faults
from tests.emulator.state import JSON, ChatState, InlineButton, Message, Notice, Shown, User
from tests.emulator.updates import Updates


@dataclass(frozen=True)
class TapAnswer:
    """The bot's answer to a tap: a toast, an alert, a link to follow, or nothing."""

    text: str | None = None
    alert: bool = False
    url: str | None = None


@dataclass(frozen=True)
class PendingQuery:
    """A tap that waits for the bot's answer."""

    id: str
    user: User
    message: Message
    at: float
    answered: asyncio.Future[TapAnswer]


@dataclass
class Webhook:
    """The target of updates, and the outcome of deliveries."""

    url: str = ""
    secret: str = ""
    max_connections: int = 40
    certificate: bool = False
    ip_address: str | None = None
    last_error: str | None = None
    last_error_date: int = 0


@dataclass
class Behaviour:
    """The features of this server."""

    ephemeral: bool = False
    premium: bool = False
    """Whether the bot's owner has Telegram Premium, which lets the bot's messages show custom emoji."""
    privacy: bool = True
    strict: bool = True
    callback_seconds: float = 15.0
    guests: bool = False
    """Whether the bot gets mentions in chats that it is not a member of (Bot API 10.0)."""
    webhook_retry_seconds: float = 0.1


@dataclass
class World:
    """The whole state, and the operations that the bot's requests and people's actions share."""

    token: str
    bot: User
    behaviour: Behaviour
    limits: FloodLimits
    clock: EmulatorClock = field(default_factory=EmulatorClock)
    changes: ChangeSignal = field(default_factory=ChangeSignal)
    faults: Faults = field(default_factory=Faults)
    journal: Journal = field(default_factory=Journal)
    webhook: Webhook = field(default_factory=Webhook)
    users: dict[int, User] = field(default_factory=dict)
    chats: dict[int, ChatState] = field(default_factory=dict)
    queries: dict[str, PendingQuery] = field(default_factory=dict)
    guest_queries: dict[str, Message] = field(default_factory=dict)
    """Mentions in chats without the bot, each of which the bot may answer once."""
    commands: dict[tuple[str, str], list[JSON]] = field(default_factory=dict)
    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    watchers: list[Callable[[ChatEvent], None]] = field(default_factory=list)
    inspectors: list[Callable[[RecordedCall], Awaitable[None]]] = field(default_factory=list)
    crashes: list[Exception] = field(default_factory=list)
    answers: dict[int, list[TapAnswer]] = field(default_factory=dict)
    uploads: dict[str, bytes] = field(default_factory=dict)
    """The files uploaded with the latest request, by the names that its parameters use."""
    sticker_sets: dict[str, list[JSON]] = field(default_factory=dict)
    poll: asyncio.Future[None] | None = None

    def __post_init__(self) -> None:
        self.users[self.bot.id] = self.bot
        self.updates = Updates(self.changes)
        self.flood = Flood(self.clock, self.limits)
        self.order = Numbers(1)
        self._message_ids = Numbers(random.randint(100, 900))
        self._user_ids = Numbers(random.randint(10_000_000, 90_000_000), 7919)
        self._group_ids = Numbers(random.randint(4_000_000_000, 4_500_000_000), 104_729)
        self._ephemeral_ids = Numbers(1)

    def seconds(self) -> int:
        return int(self.clock.now())

    def new_user_id(self) -> int:
        return next(self._user_ids)

    def new_chat_id(self, *, supergroup: bool) -> int:
        number = next(self._group_ids)
        return -1_000_000_000_000 - number % 10_000_000_000 if supergroup else -number

    def next_message_id(self, chat: ChatState) -> int:
        """Returns the next message id in a chat. A supergroup has its own sequence; all other chats share one."""
        if chat.kind != "supergroup":
            return next(self._message_ids)
        chat.last_message_id += 1
        return chat.last_message_id

    def new_message(self, chat: ChatState, author: User, *, ephemeral_for: User | None = None) -> Message:
        """Adds an empty message to the end of a chat; an ephemeral message has no ordinary id."""
        message_id = 0 if ephemeral_for else self.next_message_id(chat)
        message = Message(message_id, chat, author, self.seconds(), order=next(self.order), only_for=ephemeral_for)
        message.ephemeral_id = next(self._ephemeral_ids) if ephemeral_for else None
        chat.messages.append(message)
        return message

    def permitted(self, entities: list[JSON]) -> list[JSON]:
        """Returns the entities without custom emoji that do not exist or that the bot may not use."""
        sets = self.sticker_sets.values() if self.behaviour.premium else ()
        known = {sticker["custom_emoji_id"] for stickers in sets for sticker in stickers}
        return [entity for entity in entities if entity["type"] != "custom_emoji" or entity["custom_emoji_id"] in known]

    def show(self, message: Message, kind: EventKind) -> None:
        """Adds a message's text to the shown texts of its chat, and wakes waiting tests and watchers."""
        chat = message.chat
        message.entities = self.permitted(message.entities)
        edit = kind == "edited"
        buttons = "".join(f" [{label}]" for label in message.labels)
        text = message.text + buttons
        chat.history.append(Shown(text, message.id, chat.readers(message.only_for), self.clock.now(), edit))
        self.emit(kind, chat, message.author, message.text, message)

    def notify(self, query: PendingQuery, answer: TapAnswer) -> None:
        """Shows the answer to a tap to the person who tapped only."""
        chat = query.message.chat
        self.answers.setdefault(query.user.id, []).append(answer)
        if answer.text:
            chat.notices.append(Notice(next(self.order), query.user, answer.text, answer.alert))
            chat.history.append(Shown(answer.text, query.message.id, frozenset({query.user.id}), self.clock.now()))
        kind: EventKind = "link" if answer.url else "alert" if answer.alert else "toast"
        self.emit(kind, chat, query.user, answer.url or answer.text or "", query.message)

    def emit(self, kind: EventKind, chat: ChatState, who: User, text: str, message: Message | None = None) -> None:
        """Sends an event to the watchers, and wakes tasks that wait for a change."""
        event = ChatEvent(kind, chat.id, chat.title, who.name, text, message)
        for watcher in self.watchers:
            watcher(event)
        self.changes.notify()

    def ask(self, user: User, button: InlineButton) -> PendingQuery:
        """Sends a callback query to the bot for a tap on a button, and returns the unanswered tap."""
        query_id = str(random.getrandbits(62))
        message = button.message
        query = PendingQuery(query_id, user, message, self.clock.now(), asyncio.get_running_loop().create_future())
        self.queries[query_id] = query
        payload: JSON = {"id": query_id, "from": user.as_json(), "chat_instance": str(hash(message.chat.id))}
        payload |= {"message": _as_tapped(message), "data": button.callback_data}
        self.emit("tapped", message.chat, user, button.text, message)
        self.updates.push("callback_query", payload, user.id)
        return query


def _as_tapped(message: Message) -> JSON:
    if message.deleted:
        return {"chat": message.chat.as_json(), "message_id": message.id, "date": 0}
    return message.as_json()
