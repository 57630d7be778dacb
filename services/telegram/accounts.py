"""Engine accounts for chats: each chat has its own rate limits at the engine.

A context variable holds the chat whose update or table the current task works on. The engine client reads it for each
request. The account's name is a keyed digest, so it does not reveal the chat.
"""

import hmac
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

NAME_BYTES = 16

_chat: ContextVar[int | None] = ContextVar("chat for which the bot acts", default=None)


@contextmanager
def acting_for(chat: int | None) -> Iterator[None]:
    """Charge engine requests inside this context to a chat, including requests of tasks started inside it."""
    before = _chat.set(chat)
    try:
        yield
    finally:
        _chat.reset(before)


def act_for(chat: int) -> None:
    """Charge engine requests to a chat for the rest of this task, and in tasks that it starts."""
    _chat.set(chat)


def account_names(secret: str) -> Callable[[], str | None]:
    """Return a function that names the account of the current task's chat, or None for the bot's own account."""

    @lru_cache(maxsize=4096)
    def name_of(chat: int) -> str:
        return hmac.digest(secret.encode(), f"account of {chat}".encode(), "sha256")[:NAME_BYTES].hex()

    def name() -> str | None:
        chat = _chat.get()
        return None if chat is None else name_of(chat)

    return name
