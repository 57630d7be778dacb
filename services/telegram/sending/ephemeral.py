"""Ephemeral messages: shown in a group to one person alone (Bot API 10.3, `ephemeral_message_parameters`).

They are deleted a while after they were last shown, since their content may be out of date.

A server that does not know the parameter ignores it and shows the message to everybody. So the first message to a
server is a probe without a secret. A hand is sent only after the server's answer to the probe has said that one person
alone sees it.
"""

import asyncio
import time
from typing import Any, Protocol

import structlog
from msgspec import Struct
from telegram import Bot
from telegram.constants import ParseMode
from telegram.error import TelegramError

from services.common.processes import BackgroundTasks
from services.telegram.screens.screen import Screen
from services.telegram.sending.bot_api import keyboard

log = structlog.get_logger(__name__)

PROBE = "🂠"
"""A message without a secret."""
SHOWN_SECONDS = 60.0
"""After how long an ephemeral message is deleted."""


class Receiver(Struct, frozen=True):
    """The person who is to see a message: they have pressed a button in the group, or sent a command, a moment ago."""

    chat: int
    thread: int | None
    user: int
    press: str = ""
    """Telegram's id of the press, with which any bot may write to the person within 15 seconds; without one, only an
    administrator may."""


class Shown(Struct, frozen=True):
    """An ephemeral message that was sent."""

    chat: int
    user: int
    number: int
    """Its id among those of the receiver in the chat."""

    @property
    def params(self) -> dict[str, int]:
        """How calls name it."""
        return {"chat_id": self.chat, "receiver_user_id": self.user, "ephemeral_message_id": self.number}


class ServerKnowledge(Protocol):
    """Abilities of Bot API servers by address, stored in the bot's Redis."""

    async def has_ephemeral(self, server: str) -> bool | None:
        """Return whether a server shows messages to one person alone; None if that is not known."""

    async def record_ephemeral(self, server: str, *, known: bool) -> None:
        """Store whether a server shows messages to one person alone."""


class EphemeralMessages:
    """Sends ephemeral messages to servers that are known to support them."""

    def __init__(self, bot: Bot, server: str, knowledge: ServerKnowledge, background: BackgroundTasks) -> None:
        """`server` is the address of the Bot API server."""
        self._bot = bot
        self._server = server
        self._knowledge = knowledge
        self._background = background
        self._last: dict[Shown, float] = {}
        """When messages were last shown or edited (`time.monotonic`)."""

    async def possible(self) -> bool:
        """Return whether the server may show messages to one person alone. Raises what redis-py raises."""
        return await self._knowledge.has_ephemeral(self._server) is not False

    async def show(self, receiver: Receiver, screen: Screen) -> bool:
        """Show a screen to one person; return whether it was shown. Raises what redis-py raises.

        At a new server the first screen is not shown: a probe is sent in its place.
        """
        known = await self._knowledge.has_ephemeral(self._server)
        if known is False:
            return False
        try:
            shown = await self._send(receiver, screen if known else Screen(PROBE))
        except TelegramError as error:
            log.info("not_shown_to_one_person", reason=type(error).__name__)
            return False
        if known is None or shown is None:
            await self._knowledge.record_ephemeral(self._server, known=shown is not None)
        if shown is None:
            return False
        if known:
            self._keep(shown)
        else:
            await self._delete(shown)
        return bool(known)

    async def edit(self, shown: Shown, screen: Screen) -> None:
        """Let a message show another screen (Bot API, editEphemeralMessageText). One attempt: they may ask again."""
        self._keep(shown)
        text: dict[str, Any] = {"text": screen.text, "parse_mode": ParseMode.HTML, **keyboard(screen)}
        try:
            await self._bot.do_api_request("editEphemeralMessageText", api_kwargs=shown.params | text)
        except TelegramError as error:
            log.info("ephemeral_message_not_edited", reason=type(error).__name__)

    def _keep(self, shown: Shown) -> None:
        """Delete a message in a while, counted from now."""
        self._last[shown] = now = time.monotonic()
        self._background.start(self._delete_later(shown, now))

    async def _delete_later(self, shown: Shown, when: float) -> None:
        await asyncio.sleep(SHOWN_SECONDS)
        if self._last[shown] == when:
            del self._last[shown]
            await self._delete(shown)

    async def _send(self, receiver: Receiver, screen: Screen) -> Shown | None:
        """Send a message; where everybody sees it, delete it at once and return None. Raises `TelegramError`."""
        message = await self._bot.send_message(
            receiver.chat,
            screen.text,
            parse_mode=ParseMode.HTML,
            message_thread_id=receiver.thread,
            api_kwargs={"ephemeral_message_parameters": _parameters(receiver), **keyboard(screen)},
        )
        number = message.api_kwargs.get("ephemeral_message_id")
        if isinstance(number, int):
            return Shown(receiver.chat, receiver.user, number)
        try:
            await self._bot.delete_message(receiver.chat, message.message_id)
        except TelegramError as error:  # recorded all the same: the server lacks support
            log.warning("message_for_one_person_not_deleted", reason=type(error).__name__)
        return None

    async def _delete(self, shown: Shown) -> None:
        """Delete a message (Bot API, deleteEphemeralMessage). One attempt is enough: only its receiver sees it."""
        try:
            await self._bot.do_api_request("deleteEphemeralMessage", api_kwargs=dict(shown.params))
        except TelegramError as error:
            log.info("ephemeral_message_not_deleted", reason=type(error).__name__)


def _parameters(receiver: Receiver) -> dict[str, Any]:
    press = {"callback_query_id": receiver.press} if receiver.press else {}
    return {"receiver_user_id": receiver.user, **press}
