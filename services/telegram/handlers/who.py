"""Who speaks, and where: people and chats as an update names them."""

from msgspec import Struct
from telegram import Chat as TelegramChat
from telegram import Message, User

from services.telegram.memory.chats import Chats
from services.telegram.memory.memory import Memory
from services.telegram.memory.people import People
from services.telegram.records import Person
from shared.translate import Language, nearest


class Caller(Struct, frozen=True):
    """Who sent a command, and where the answer goes."""

    user: int
    person: Person | None
    """Nothing for an administrator who hides behind the group."""
    chat: int
    thread: int | None
    language: Language
    """The group's in a group, the person's in his private chat."""

    @property
    def private(self) -> bool:
        """Is this the private chat?"""
        return self.chat > 0

    @property
    def anonymous(self) -> bool:
        """Is this an administrator who hides behind the group?"""
        return self.person is None


def thread_of(message: Message) -> int | None:
    """Return the topic; the thread of mere replies is not one (Bot API, Message.is_topic_message)."""
    return message.message_thread_id if message.is_topic_message else None


async def caller(memory: Memory, message: Message) -> Caller | None:
    """Return who sent a command; nothing for a channel that speaks in a group."""
    chat = message.chat
    if message.sender_chat is not None and message.sender_chat.id != chat.id:
        return None
    hidden = message.sender_chat is not None
    user = message.from_user
    person = None if hidden or user is None else await meet(memory.people, user, private=chat.id > 0)
    if chat.id > 0:
        language = person.language if person else "en"
        return Caller(chat.id, person, chat.id, None, language)
    group = await visit(memory.chats, chat, user)
    return Caller(user.id if user else 0, person, chat.id, thread_of(message), group)


async def meet(people: People, user: User, *, private: bool) -> Person:
    """Remember a person; whoever writes in private may be written to."""
    return await people.meet(user.id, user.first_name, user.language_code, reachable=True if private else None)


async def visit(chats: Chats, chat: TelegramChat, user: User | None) -> Language:
    """Remember a group and return its language; a new one speaks as whoever called the bot first."""
    found = await chats.visit(
        chat.id, chat.title or "", chat.username or "", nearest(user.language_code if user else None)
    )
    return found.language
