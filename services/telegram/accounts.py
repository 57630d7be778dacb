"""The chat for which the bot acts: the engine charges its requests to that chat's own account.

The account's name does not reveal the chat.
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
    """Let this task, and those that it starts, act for a chat."""
    before = _chat.set(chat)
    try:
        yield
    finally:
        _chat.reset(before)


def act_for(chat: int) -> None:
    """Make this task, and those that it starts, act for a chat."""
    _chat.set(chat)


def account_names(secret: str) -> Callable[[], str | None]:
    """Return a function that returns the account of the chat for which a task acts; None for the bot's own."""

    @lru_cache(maxsize=4096)
    def name_of(chat: int) -> str:
        return hmac.digest(secret.encode(), f"account of {chat}".encode(), "sha256")[:NAME_BYTES].hex()

    def name() -> str | None:
        chat = _chat.get()
        return None if chat is None else name_of(chat)

    return name
