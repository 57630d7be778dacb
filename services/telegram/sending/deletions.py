"""Deletes messages, with retries that continue after a restart."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable

import structlog
from msgspec import structs
from telegram.error import RetryAfter, TelegramError

from services.telegram.records import FACE_DOWN
from services.telegram.screens.screen import Screen
from services.telegram.sending.bot_api import TEMPORARY, BotApi, DeliveryError, classify, retry_after_seconds
from services.telegram.sending.clock import MonotonicClock
from services.telegram.sending.delivery import pause_after
from services.telegram.sending.journal import Journal
from services.telegram.sending.messages import Message

log = structlog.get_logger(__name__)

SUPERSEDED = Screen("⬇️")
"""Content of a message that is too old to be deleted; it points to the newer message below."""
_EMPTIED = {
    DeliveryError.NOT_DELETABLE: SUPERSEDED,
    DeliveryError.HAS_PHOTO: structs.replace(SUPERSEDED, photo=FACE_DOWN),
}
"""Content of a message that cannot be deleted, and of one whose photo cannot be removed."""


class Deletions:
    """Deletes messages. Deletions do not count against Telegram's rate limits."""

    def __init__(
        self,
        api: BotApi,
        clock: MonotonicClock,
        journal: Journal,
        start: Callable[[Coroutine[None, None, None]], object],
    ) -> None:
        """`start` runs a coroutine as a task."""
        self._api = api
        self._clock = clock
        self._journal = journal
        self._start = start
        self._replaced: set[tuple[int, int]] = set()
        """Chats and ids of replaced messages that are being deleted."""

    def left(self, chat: int, replaced: Iterable[int]) -> tuple[int, ...]:
        """Return the messages in `replaced` whose deletion may be unfinished; all, before the journal is restored."""
        return tuple(
            message
            for message in replaced
            if not self._journal.restored.is_set()
            or (chat, message) in self._replaced
            or self._journal.is_deleted(chat, message)
        )

    def delete(self, chat: int, message: int) -> None:
        """Delete a message that no table's record names."""
        if not self._journal.is_deleted(chat, message):
            self._journal.note_deletion(chat, message, done=False)
            self._start(self._delete(chat, message))

    def restore(self, messages: Iterable[tuple[int, int]]) -> None:
        """Delete the messages that an earlier process has left, one after the other."""
        left = dict.fromkeys(messages)
        for chat, message in left:
            self._journal.note_deletion(chat, message, done=False)
        self._start(self._delete_all(left))

    def delete_replaced(self, message: Message, chat: int, deleted: Callable[[Message], None]) -> None:
        """Delete the messages that a message has replaced; call `deleted` after each to store the changed record."""
        for before in message.record.replaced:
            if (chat, before) not in self._replaced:
                self._replaced.add((chat, before))
                self._start(self._delete_replaced(message, chat, before, deleted))

    async def _delete_all(self, messages: Iterable[tuple[int, int]]) -> None:
        for chat, message in messages:
            await self._delete(chat, message)

    async def _delete(self, chat: int, message: int) -> None:
        await self._journal.try_to_save()  # before deleting: after a crash the next start goes on
        await self._try(chat, message)
        self._journal.note_deletion(chat, message, done=True)

    async def _delete_replaced(
        self, message: Message, chat: int, before: int, deleted: Callable[[Message], None]
    ) -> None:
        await self._try(chat, before)
        self._replaced.discard((chat, before))
        message.deleted(before)
        deleted(message)

    async def _try(self, chat: int, message: int) -> None:
        """Delete a message, with retries. Empty a message that is too old to be deleted."""
        attempts = 0
        instead: Screen | None = None
        while True:
            try:
                await (self._api.edit(chat, message, instead) if instead else self._api.delete(chat, message))
            except TelegramError as error:
                kind = classify(error)
                if _EMPTIED.get(kind, instead) != instead:
                    instead = _EMPTIED[kind]
                    continue
                if kind not in TEMPORARY:
                    log.debug("message_not_deleted", reason=error.message)
                    return
                pause = retry_after_seconds(error) if isinstance(error, RetryAfter) else pause_after(attempts)
                attempts += 1
                await self._clock.wait(asyncio.Event(), pause)
            else:
                return
