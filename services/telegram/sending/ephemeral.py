"""Ephemeral messages: group messages that only one person sees (Bot API 10.3, `ephemeral_message_parameters`).

Such a message is deleted `SHOWN_SECONDS` after it was last shown or edited, because its content becomes outdated.

A server without support ignores the parameter and shows the message to everybody. So the first message to a server is a
probe without secrets. A hand is sent only after the server's answer to the probe confirms support.
"""

import asyncio
import time
from typing import Any

import structlog
from msgspec import Struct
from telegram import Bot
from telegram.constants import ParseMode
from telegram.error import TelegramError

from services.common.processes import BackgroundTasks
from services.telegram.repositories.bot_state import AbilityRepository
from services.telegram.screens.screen import Screen
from services.telegram.sending.bot_api import keyboard

log = structlog.get_logger(__name__)

PROBE = "🂠"
"""Text of the probe: a card face down."""
SHOWN_SECONDS = 60.0
"""Seconds after which an ephemeral message is deleted."""


class Receiver(Struct, frozen=True):
    """The person who gets a message, who has just pressed a button or sent a command in the group."""

    chat: int
    thread: int | None
    user: int
    press: str = ""
    """Telegram's id of the press, with which the bot may write to the person for 15 seconds. Empty for a command, which
    needs an administrator bot."""


class Shown(Struct, frozen=True):
    """A sent ephemeral message."""

    chat: int
    user: int
    number: int
    """The message's id, unique for the receiver in the chat."""

    @property
    def params(self) -> dict[str, int]:
        """The parameters that identify the message in Bot API calls."""
        return {"chat_id": self.chat, "receiver_user_id": self.user, "ephemeral_message_id": self.number}


class EphemeralMessages:
    """Sends ephemeral messages if the server supports them."""

    def __init__(self, bot: Bot, server: str, knowledge: AbilityRepository, background: BackgroundTasks) -> None:
        """`server` is the address of the Bot API server."""
        self._bot = bot
        self._server = server
        self._knowledge = knowledge
        self._background = background
        self._last: dict[Shown, float] = {}
        """When each message was last shown or edited (`time.monotonic`)."""

    async def possible(self) -> bool:
        """Return whether the server supports ephemeral messages or may do so. Raises redis-py's errors."""
        return await self._knowledge.has_ephemeral(self._server) is not False

    async def show(self, receiver: Receiver, screen: Screen) -> bool:
        """Show a screen to one person; return whether it was shown. Raises redis-py's errors.

        On a server whose support is unknown, a probe is sent instead of the screen.
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
        """Edit a message (Bot API, editEphemeralMessageText), with one attempt: the person can press again."""
        self._keep(shown)
        text: dict[str, Any] = {"text": screen.text, "parse_mode": ParseMode.HTML, **keyboard(screen)}
        try:
            await self._bot.do_api_request("editEphemeralMessageText", api_kwargs=shown.params | text)
        except TelegramError as error:
            log.info("ephemeral_message_not_edited", reason=type(error).__name__)

    def _keep(self, shown: Shown) -> None:
        """Schedule the deletion of a message, `SHOWN_SECONDS` from now."""
        self._last[shown] = now = time.monotonic()
        self._background.start(self._delete_later(shown, now))

    async def _delete_later(self, shown: Shown, when: float) -> None:
        await asyncio.sleep(SHOWN_SECONDS)
        if self._last[shown] == when:
            del self._last[shown]
            await self._delete(shown)

    async def _send(self, receiver: Receiver, screen: Screen) -> Shown | None:
        """Send a message. If everybody can see it, delete it at once and return None. Raises `TelegramError`."""
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
        except TelegramError as error:  # None is returned: the server lacks support
            log.warning("message_for_one_person_not_deleted", reason=type(error).__name__)
        return None

    async def _delete(self, shown: Shown) -> None:
        """Delete a message (Bot API, deleteEphemeralMessage), with one attempt: only its receiver sees it."""
        try:
            await self._bot.do_api_request("deleteEphemeralMessage", api_kwargs=dict(shown.params))
        except TelegramError as error:
            log.info("ephemeral_message_not_deleted", reason=type(error).__name__)


def _parameters(receiver: Receiver) -> dict[str, Any]:
    press = {"callback_query_id": receiver.press} if receiver.press else {}
    return {"receiver_user_id": receiver.user, **press}
