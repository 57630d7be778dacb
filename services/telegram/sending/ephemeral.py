"""Ephemeral messages: shown in a group to one person alone (Bot API 10.3, `ephemeral_message_parameters`).

A server that does not know the parameter ignores it and shows the message to everybody. So the first message to a
server is a probe without a secret. A hand is sent only after the server's answer to the probe has said that one person
alone sees it.
"""

from typing import Protocol

import structlog
from msgspec import Struct
from telegram import Bot
from telegram.constants import ParseMode
from telegram.error import TelegramError

log = structlog.get_logger(__name__)

PROBE = "🂠"
"""A message without a secret."""
SHOWN_SECONDS = 60.0
"""After how long an ephemeral message is deleted: by then it may not be true any more."""


class Receiver(Struct, frozen=True):
    """The person who is to see a message: they have pressed a button in the group a moment ago."""

    chat: int
    thread: int | None
    user: int
    press: str
    """Telegram's id of the press, with which any bot may write to the person within 15 seconds."""


class Shown(Struct, frozen=True):
    """An ephemeral message that was sent."""

    receiver: Receiver
    number: int
    """Its id among those of the receiver in the chat."""


class ServerKnowledge(Protocol):
    """What is known of Bot API servers, by address: stored in the bot's Redis."""

    async def has_ephemeral(self, server: str) -> bool | None:
        """Return whether a server shows messages to one person alone; None if that is not known."""

    async def record_ephemeral(self, server: str, *, known: bool) -> None:
        """Store whether a server shows messages to one person alone."""


class EphemeralMessages:
    """Sends ephemeral messages to servers that are known to support them."""

    def __init__(self, bot: Bot, server: str, knowledge: ServerKnowledge) -> None:
        """`server` is the address of the Bot API server."""
        self._bot = bot
        self._server = server
        self._knowledge = knowledge

    async def show(self, receiver: Receiver, html: str) -> Shown | None:
        """Show a text to one person; return None if it was not shown. Raises what redis-py raises.

        At a new server the first text is not shown: a probe is sent in its place.
        """
        known = await self._knowledge.has_ephemeral(self._server)
        if known is False:
            return None
        try:
            shown = await self._send(receiver, html if known else PROBE)
        except TelegramError as error:
            log.info("not_shown_to_one_person", reason=type(error).__name__)
            return None
        if known is None or shown is None:
            await self._knowledge.record_ephemeral(self._server, known=shown is not None)
        if known:
            return shown
        if shown is not None:
            await self.delete(shown)
        return None

    async def _send(self, receiver: Receiver, html: str) -> Shown | None:
        """Send a message; where everybody sees it, delete it at once and return None. Raises `TelegramError`."""
        message = await self._bot.send_message(
            receiver.chat,
            html,
            parse_mode=ParseMode.HTML,
            message_thread_id=receiver.thread,
            api_kwargs={
                "ephemeral_message_parameters": {
                    "receiver_user_id": receiver.user,
                    "callback_query_id": receiver.press,
                }
            },
        )
        number = message.api_kwargs.get("ephemeral_message_id")
        if isinstance(number, int):
            return Shown(receiver, number)
        try:
            await self._bot.delete_message(receiver.chat, message.message_id)
        except TelegramError as error:  # recorded all the same: the server lacks support
            log.warning("message_for_one_person_not_deleted", reason=type(error).__name__)
        return None

    async def delete(self, shown: Shown) -> None:
        """Delete a message (Bot API, deleteEphemeralMessage). One attempt is enough: only its receiver sees it."""
        where = {"chat_id": shown.receiver.chat, "receiver_user_id": shown.receiver.user}
        try:
            await self._bot.do_api_request(
                "deleteEphemeralMessage", api_kwargs=where | {"ephemeral_message_id": shown.number}
            )
        except TelegramError as error:
            log.info("ephemeral_message_not_deleted", reason=type(error).__name__)
