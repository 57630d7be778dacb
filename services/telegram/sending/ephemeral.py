"""Ephemeral messages: shown in a group, to one person alone (Bot API 10.3, `ephemeral_message_parameters`).

A server that does not know the parameter ignores it and shows the message to everybody. So a hand goes only where a
message without a secret has gone before, and the server's answer has told that one person alone sees it.
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
    """Who is to see a message: a person who has pressed a button in a group a moment ago."""

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
    """What was found out of Bot API servers, by their addresses; the bot's Redis."""

    async def has_ephemeral(self, server: str) -> bool | None:
        """Return whether a server shows messages to one person alone; None if that is not known."""

    async def record_ephemeral(self, server: str, *, known: bool) -> None:
        """Store whether a server shows messages to one person alone."""


class EphemeralMessages:
    """Sends ephemeral messages once the server has proved that it knows them."""

    def __init__(self, bot: Bot, server: str, knowledge: ServerKnowledge) -> None:
        """`server` is the address of the Bot API server."""
        self._bot = bot
        self._server = server
        self._knowledge = knowledge

    async def show(self, receiver: Receiver, html: str) -> Shown | None:
        """Show a text to one person; None where it was not shown. Raises what redis-py raises.

        The first one at a new server is not shown: a probe goes in its place.
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
        except TelegramError as error:  # what the server cannot do is recorded all the same
            log.warning("message_for_one_person_not_deleted", reason=type(error).__name__)
        return None

    async def delete(self, shown: Shown) -> None:
        """Delete a message (Bot API, deleteEphemeralMessage); it is seen by its receiver alone, so one attempt does."""
        where = {"chat_id": shown.receiver.chat, "receiver_user_id": shown.receiver.user}
        try:
            await self._bot.do_api_request(
                "deleteEphemeralMessage", api_kwargs=where | {"ephemeral_message_id": shown.number}
            )
        except TelegramError as error:
            log.info("ephemeral_message_not_deleted", reason=type(error).__name__)
