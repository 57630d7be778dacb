"""Tags beside the names of a group's members (Bot API 9.5, setChatMemberTag).

The bot does not change tags that people have set. No bot can change the tags of administrators.
"""

from telegram import Bot, ChatMember, ChatMemberAdministrator, ChatMemberMember, ChatMemberRestricted
from telegram.error import TelegramError

from services.telegram.sending.bot_api import TEMPORARY, classify

NO_TAG = ""


class TagsDelayedError(Exception):
    """Telegram does not answer or asks to wait, so the same call may succeed later."""


def may_set_tags(member: ChatMember) -> bool:
    """Return whether the bot may set tags; `member` is its membership in the group."""
    if not isinstance(member, ChatMemberAdministrator):
        return False
    by_default = bool(member.can_pin_messages)  # Bot API, ChatMemberAdministrator
    return by_default if member.can_manage_tags is None else member.can_manage_tags


class MemberTags:
    """Sets tags. Its methods raise `TagsDelayedError` for temporary errors; permanent refusals change nothing."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def allowed(self, chat: int) -> bool:
        """Ask Telegram whether the bot may set tags in a group."""
        member = await self._member(chat, self._bot.id)
        return member is not None and may_set_tags(member)

    async def change(self, chat: int, user: int, before: str, after: str) -> bool:
        """Change a person's tag from `before` to `after`; return whether it is `after` at the end."""
        member = await self._member(chat, user)
        if not isinstance(member, ChatMemberMember | ChatMemberRestricted):
            return False
        tag = member.tag or NO_TAG
        if tag not in {before, after}:
            return False
        return tag == after or await self._set(chat, user, after)

    async def _set(self, chat: int, user: int, tag: str) -> bool:
        try:
            return await self._bot.set_chat_member_tag(chat, user, tag)
        except TelegramError as error:
            _demand_final(error)
            return False

    async def _member(self, chat: int, user: int) -> ChatMember | None:
        try:
            return await self._bot.get_chat_member(chat, user)
        except TelegramError as error:
            _demand_final(error)
            return None


def _demand_final(error: TelegramError) -> None:
    """Raise `TagsDelayedError` for an error after which the same call may succeed."""
    if classify(error) in TEMPORARY:
        raise TagsDelayedError from error
