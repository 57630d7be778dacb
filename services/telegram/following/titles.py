"""Titles for the last winner of a game in a group, such as President, shown as a member tag beside their name.

A game's texts define its title (`TITLES`). The new bearer is stored with the counted match; then the tag moves from the
old bearer to the new one. Setting tags needs an administrator right. Without that right nothing happens, and the bot
does not ask for it.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

import structlog
from msgspec import structs

from locanda.messages import Table
from locanda.texts.results import ranking
from locanda.translations import translations_in
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.records import NOBODY, ChatTable, GroupTitle
from services.telegram.repositories.repositories import Repositories
from services.telegram.sending.member_tags import NO_TAG, MemberTags, TagsDelayedError

log = structlog.get_logger(__name__)

PAUSES = (1.0, 10.0, 60.0)
"""Pauses between attempts, in seconds. Later attempts are made when a match ends or the bot starts."""


class Titles:
    """Gives titles to winners and removes them from earlier bearers."""

    def __init__(self, repositories: Repositories, tags: MemberTags) -> None:
        self._repositories = repositories
        self._titles = repositories.titles
        self._tags = tags
        self._locks: dict[int, asyncio.Lock] = {}
        """A lock for each chat, so that its titles move one at a time."""

    async def note(self, chat_table: ChatTable, over: Table, seats: Mapping[int, int]) -> None:
        """Store the new bearer of a game's title before the match is counted; `seats` maps people to seats."""
        result = over.match.result
        if result is None:
            return
        language = (await self._repositories.chats.chat(chat_table.chat)).language
        names = [seat.name for seat in over.seats]
        first = next(ranking(over.game, result, names, translations_in(language)))
        if not first.title:
            return
        winner = next((user for user, seat in seats.items() if seat == result.ranking[0][0]), NOBODY)
        shown = winner if await self._repositories.people.is_shown(winner) else NOBODY
        before = (await self._titles.of_chat(chat_table.chat)).get(over.game, GroupTitle())
        await self._titles.save(chat_table.chat, over.game, structs.replace(before, name=first.title, due=shown))

    async def resume(self) -> None:
        """After a start, set the tags that the previous process did not set."""
        try:
            chats = {table.chat for table in await self._repositories.chat_tables.all() if not table.alone}
        except REDIS_ERRORS as error:
            log.warning("titles_not_resumed", reason=type(error).__name__)
            return
        for chat in chats:
            await self.show(chat)

    async def show(self, chat: int) -> None:
        """Set the tags of a group's members according to its stored titles, in a few attempts."""
        for pause in (0.0, *PAUSES):
            await asyncio.sleep(pause)
            try:
                async with self._locks.setdefault(chat, asyncio.Lock()):
                    await self._show(chat)
            except (TagsDelayedError, *REDIS_ERRORS) as error:
                log.info("title_not_shown", reason=type(error).__name__)
            else:
                return

    async def _show(self, chat: int) -> None:
        for game, title in (await self._titles.of_chat(chat)).items():
            if title.due is not None and await self._may_set_tags(chat):
                await self._hand_over(chat, game, title, title.due)

    async def _may_set_tags(self, chat: int) -> bool:
        """Return whether the bot may set tags in a group; ask Telegram if that is not stored yet."""
        chats = self._repositories.chats
        known = (await chats.chat(chat)).tags
        if known is None:
            known = await self._tags.allowed(chat)
            await chats.update_settings(chat, tags=known)
        return known

    async def _hand_over(self, chat: int, game: str, title: GroupTitle, due: int) -> None:
        """Move a title's tag from its bearer to the new one. It is safe to repeat this after a crash."""
        before = title.tag if title.bearer == due else NO_TAG
        if title.bearer not in {NOBODY, due}:
            await self._tags.change(chat, title.bearer, title.tag, NO_TAG)
        is_changed = due != NOBODY and await self._tags.change(chat, due, before, title.name)
        latest = (await self._titles.of_chat(chat)).get(game, title)  # another match may have ended since
        bearer, tag = (due, title.name) if is_changed else (NOBODY, NO_TAG)
        still_due = None if latest.due == due else latest.due
        await self._titles.save(chat, game, structs.replace(latest, due=still_due, bearer=bearer, tag=tag))

    async def take_away(self, user: int) -> None:
        """Remove all tags of a person whose data will be deleted, with one attempt each."""
        for chat, _, title in await self._titles.of_person(user):
            if title.bearer == user:
                with suppress(TagsDelayedError):
                    await self._tags.change(chat, user, title.tag, NO_TAG)
