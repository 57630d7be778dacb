"""The emulated Telegram: its accounts, its chats, one bot, and what is on its way."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.emulator.clock import Changes, Clock
from tests.emulator.faults import Faults
from tests.emulator.flood import Flood, Limits
from tests.emulator.journal import Event, EventKind, Journal
from tests.emulator.state import JSON, Button, Message, Notice, Room, Shown, User
from tests.emulator.updates import Updates


@dataclass(frozen=True)
class Answer:
    """What a tap was answered with: a toast, an alert, a link to follow, or nothing at all."""

    text: str | None = None
    alert: bool = False
    url: str | None = None


@dataclass(frozen=True)
class Query:
    """A tap that waits for the bot's answer."""

    id: str
    user: User
    message: Message
    at: float
    answered: asyncio.Future[Answer]


@dataclass
class Webhook:
    """Where updates are delivered to, and how that went."""

    url: str = ""
    secret: str = ""
    max_connections: int = 40
    certificate: bool = False
    ip_address: str | None = None
    last_error: str | None = None
    last_error_date: int = 0


@dataclass
class Behaviour:
    """What kind of server this is."""

    ephemeral: bool = False
    privacy: bool = True
    strict: bool = True
    callback_seconds: float = 15.0
    webhook_retry_seconds: float = 0.1


@dataclass
class World:
    """All state, and the few acts on it that bots' requests and people's acts share."""

    token: str
    bot: User
    behaviour: Behaviour
    limits: Limits
    clock: Clock = field(default_factory=Clock)
    changes: Changes = field(default_factory=Changes)
    faults: Faults = field(default_factory=Faults)
    journal: Journal = field(default_factory=Journal)
    webhook: Webhook = field(default_factory=Webhook)
    users: dict[int, User] = field(default_factory=dict)
    rooms: dict[int, Room] = field(default_factory=dict)
    queries: dict[str, Query] = field(default_factory=dict)
    commands: dict[tuple[str, str], list[JSON]] = field(default_factory=dict)
    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    watchers: list[Callable[[Event], None]] = field(default_factory=list)
    crashes: list[Exception] = field(default_factory=list)
    answers: dict[int, list[Answer]] = field(default_factory=dict)
    poll: asyncio.Future[None] | None = None

    def __post_init__(self) -> None:
        self.users[self.bot.id] = self.bot
        self.updates = Updates(self.changes)
        self.flood = Flood(self.clock, self.limits)
        self.order = itertools.count(1)
        self._message_ids = itertools.count(random.randint(100, 900))
        self._user_ids = itertools.count(random.randint(10_000_000, 90_000_000), 7919)
        self._group_ids = itertools.count(random.randint(4_000_000_000, 4_500_000_000), 104_729)
        self._ephemeral_ids = itertools.count(1)

    def seconds(self) -> int:
        return int(self.clock.now())

    def new_user_id(self) -> int:
        return next(self._user_ids)

    def new_room_id(self, *, supergroup: bool) -> int:
        number = next(self._group_ids)
        return -1_000_000_000_000 - number % 10_000_000_000 if supergroup else -number

    def next_message_id(self, room: Room) -> int:
        """A supergroup counts its own messages; all other chats of an account share one count."""
        if room.kind != "supergroup":
            return next(self._message_ids)
        room.last_message_id += 1
        return room.last_message_id

    def new_message(self, room: Room, author: User, *, ephemeral_for: User | None = None) -> Message:
        """A message at the end of the chat, empty yet; an ephemeral one has no ordinary id."""
        message_id = 0 if ephemeral_for else self.next_message_id(room)
        message = Message(message_id, room, author, self.seconds(), order=next(self.order), only_for=ephemeral_for)
        message.ephemeral_id = next(self._ephemeral_ids) if ephemeral_for else None
        room.messages.append(message)
        return message

    def show(self, message: Message, kind: EventKind) -> None:
        """Makes it seen: into the chat's history, and to whoever waits or watches."""
        room = message.room
        edit = kind == "edited"
        buttons = "".join(f" [{label}]" for label in message.labels)
        text = message.text + buttons
        room.history.append(Shown(text, message.id, room.readers(message.only_for), self.clock.now(), edit))
        self.tell(kind, room, message.author, message.text, message)

    def notify(self, query: Query, answer: Answer) -> None:
        """Shows one person alone what his tap was answered with."""
        room = query.message.room
        self.answers.setdefault(query.user.id, []).append(answer)
        if answer.text:
            room.notices.append(Notice(next(self.order), query.user, answer.text, answer.alert))
            room.history.append(Shown(answer.text, query.message.id, frozenset({query.user.id}), self.clock.now()))
        kind: EventKind = "link" if answer.url else "alert" if answer.alert else "toast"
        self.tell(kind, room, query.user, answer.url or answer.text or "", query.message)

    def tell(self, kind: EventKind, room: Room, who: User, text: str, message: Message | None = None) -> None:
        """Tells whoever watches, and wakes whoever waits."""
        event = Event(kind, room.id, room.title, who.name, text, message)
        for watcher in self.watchers:
            watcher(event)
        self.changes.tell()

    def ask(self, user: User, button: Button) -> Query:
        """A tap on a callback button: the bot is asked, and the tapper waits."""
        query_id = str(random.getrandbits(62))
        message = button.message
        query = Query(query_id, user, message, self.clock.now(), asyncio.get_running_loop().create_future())
        self.queries[query_id] = query
        payload: JSON = {"id": query_id, "from": user.as_json(), "chat_instance": str(hash(message.room.id))}
        payload |= {"message": _as_tapped(message), "data": button.callback_data}
        self.tell("tapped", message.room, user, button.text, message)
        self.updates.push("callback_query", payload, user.id)
        return query


def _as_tapped(message: Message) -> JSON:
    if message.deleted:
        return {"chat": message.room.as_json(), "message_id": message.id, "date": 0}
    return message.as_json()
