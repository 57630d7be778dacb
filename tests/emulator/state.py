"""People, chats, messages and buttons of the emulated Telegram, and their JSON in the Bot API."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

JSON = dict[str, Any]
ChatKind = Literal["private", "group", "supergroup", "channel"]
MemberStatus = Literal["creator", "administrator", "member", "left", "kicked"]
PRESENT = frozenset({"creator", "administrator", "member"})
COMMANDING = frozenset({"creator", "administrator"})
GROUP_ANONYMOUS_BOT = 1087968824


@dataclass(eq=False)
class User:
    """The account of a person or a bot."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language: str | None = None
    is_bot: bool = False
    started: bool = False
    blocks: bool = False
    deactivated: bool = False

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}" if self.last_name else self.first_name

    def as_json(self) -> JSON:
        if self.deactivated:
            return {"id": self.id, "is_bot": False, "first_name": ""}
        optional = {"last_name": self.last_name, "username": self.username, "language_code": self.language}
        return {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name} | _present(optional)


@dataclass(frozen=True)
class InlineButton:
    """An inline button with its message, so that it can be tapped after the message has lost it."""

    text: str
    raw: JSON = field(repr=False)
    message: Message = field(repr=False, compare=False)

    @property
    def callback_data(self) -> str | None:
        data = self.raw.get("callback_data")
        return str(data) if data else None

    @property
    def url(self) -> str | None:
        url = self.raw.get("url") or self.raw.get("web_app", {}).get("url")
        return str(url) if url else None


@dataclass(frozen=True)
class Shown:
    """A shown text, its time, and the ids of its readers (a group's id: anyone who may still join the group)."""

    text: str
    message_id: int
    to: frozenset[int]
    at: float
    edit: bool = False


@dataclass(eq=False)
class Message:
    """The current state of a message; the text of a photo is its caption."""

    id: int
    chat: ChatState
    author: User
    date: int
    text: str = ""
    photo: bytes = b""
    document: bytes = b""
    entities: list[JSON] = field(default_factory=list)
    rows: list[list[InlineButton]] = field(default_factory=list)
    thread: int | None = None
    reply_to: Message | None = None
    anonymous: bool = False
    service: JSON = field(default_factory=dict)
    line: str = ""
    only_for: User | None = None
    ephemeral_id: int | None = None
    deleted: bool = False
    fixed: bool = False
    pinned: bool = False
    edits: int = 0
    edit_date: int | None = None
    order: int = 0

    def __repr__(self) -> str:
        return f"<Message {self.id} in {self.chat.title!r} by {self.author.name}: {self.text!r} {self.labels}>"

    @property
    def labels(self) -> list[str]:
        return [button.text for row in self.rows for button in row]

    def button(self, label: str) -> InlineButton:
        """Returns the button with that exact label. Raises KeyError if there is none."""
        for row in self.rows:
            for button in row:
                if button.text == label:
                    return button
        raise KeyError(f"no button {label!r} in {self!r}")

    def visible_to(self, user: User | None) -> bool:
        return not self.deleted and (self.only_for is None or self.only_for is user)

    def _topic_opening(self) -> Message | None:
        """The message that opened the topic: in a topic, a message without a reply counts as a reply to it."""
        if not self.chat.is_forum or self.thread in {None, self.id}:
            return None
        return self.chat.message(self.thread or 0)

    def as_json(self, *, with_reply: bool = True) -> JSON:
        result: JSON = {"message_id": self.id, "from": self.author.as_json(), "chat": self.chat.as_json()}
        result["date"] = self.date
        if self.anonymous:
            anonymous = User(GROUP_ANONYMOUS_BOT, "Group", username="GroupAnonymousBot", is_bot=True)
            result |= {"from": anonymous.as_json(), "sender_chat": self.chat.as_json()}
        if self.thread is not None:
            result["message_thread_id"] = self.thread
            result |= {"is_topic_message": True} if self.chat.is_forum else {}
        answered = self.reply_to or self._topic_opening()
        if with_reply and answered is not None and not answered.deleted:
            result["reply_to_message"] = answered.as_json(with_reply=False)
        if self.only_for is not None:
            result |= {"receiver_user": self.only_for.as_json(), "ephemeral_message_id": self.ephemeral_id}
        content: JSON = {"text": self.text, "entities": self.entities, "edit_date": self.edit_date}
        if self.photo:
            size = {"file_id": f"photo{self.id}", "file_unique_id": f"{self.id}", "width": 1080, "height": 340}
            content |= {"photo": [size], "caption": content.pop("text"), "caption_entities": content.pop("entities")}
        result |= {name: value for name, value in content.items() if value} | self.service
        if self.rows:
            keyboard = [[button.raw for button in row] for row in self.rows]
            result["reply_markup"] = {"inline_keyboard": keyboard}
        return result


@dataclass(frozen=True)
class Notice:
    """The text of an answer to a tap. Only the person who tapped sees it."""

    order: int
    user: User
    text: str
    alert: bool


@dataclass(eq=False)
class ChatState:
    """A chat: private, group, supergroup or channel."""

    id: int
    kind: ChatKind
    title: str
    user: User | None = None
    is_forum: bool = False
    people: dict[int, User] = field(default_factory=dict)
    standing: dict[int, MemberStatus] = field(default_factory=dict)
    withheld: dict[int, tuple[str, ...]] = field(default_factory=dict)
    tags: dict[int, str] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    history: list[Shown] = field(default_factory=list)
    topics: dict[int, str] = field(default_factory=dict)
    successor: ChatState | None = None
    closed_to_bots: bool = False
    last_message_id: int = 0

    @property
    def private(self) -> bool:
        return self.kind == "private"

    def status_of(self, user: User) -> MemberStatus:
        return self.standing.get(user.id, "left")

    def has(self, user: User) -> bool:
        return self.status_of(user) in PRESENT

    def commanded_by(self, user: User) -> bool:
        return self.status_of(user) in COMMANDING

    def members(self) -> list[User]:
        return [user for user in self.people.values() if self.has(user)]

    def readers(self, only: User | None = None) -> frozenset[int]:
        """Returns the ids of people who can read messages in the chat (a group's id: anyone who may still join it)."""
        if only is not None:
            return frozenset({only.id})
        return frozenset({self.id} | {user.id for user in self.members() if not user.is_bot})

    def message(self, message_id: int) -> Message | None:
        matches = (m for m in self.messages if m.id == message_id and m.only_for is None and not m.deleted)
        return next(matches, None)

    def as_json(self) -> JSON:
        if self.user is not None:
            names = _present({"last_name": self.user.last_name, "username": self.user.username})
            return {"id": self.id, "type": "private", "first_name": self.user.first_name} | names
        return {"id": self.id, "type": self.kind, "title": self.title} | ({"is_forum": True} if self.is_forum else {})


def _present(fields: JSON) -> JSON:
    return {name: value for name, value in fields.items() if value is not None}
