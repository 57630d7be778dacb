"""Who is in a group: asked of Telegram, and believed for a short while."""

import time
from collections.abc import Callable

from telegram import Bot, ChatMemberRestricted
from telegram.error import TelegramError

from services.telegram.records import ChatTable
from services.telegram.tables.lookup import ActionRefusedError

BELIEVED_SECONDS = 60.0
OUTSIDE = {"left", "kicked"}
"""The statuses of a chat member who is not in the chat (Bot API, ChatMember)."""


class GroupMembers:
    """Tells who is in a group. That somebody is in it is remembered; that they are not is asked again each time."""

    def __init__(self, bot: Bot, now: Callable[[], float] = time.monotonic) -> None:
        self._bot = bot
        self._now = now
        self._until: dict[tuple[int, int], float] = {}
        """Until when somebody is believed to be in a group, by group and person."""

    async def require(self, chat_table: ChatTable, user: int) -> None:
        """Raise `ActionRefusedError` unless a person is in the group of a table; also where Telegram does not tell."""
        if chat_table.alone:
            raise ActionRefusedError("no_table")
        chat, now = chat_table.chat, self._now()
        if self._until.get((chat, user), 0.0) > now:
            return
        try:
            member = await self._bot.get_chat_member(chat, user)
        except TelegramError:
            raise ActionRefusedError("membership_unknown") from None
        if member.status in OUTSIDE or (isinstance(member, ChatMemberRestricted) and not member.is_member):
            raise ActionRefusedError("not_in_group")
        self._until = {key: until for key, until in self._until.items() if until > now}
        self._until[chat, user] = now + BELIEVED_SECONDS

    def forget(self, chat: int, user: int) -> None:
        """Take note that a person has left a group."""
        self._until.pop((chat, user), None)
