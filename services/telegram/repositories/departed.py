"""Deletes data of groups that the bot has left, and of people who have not used the bot for a year.

Groups with evenings, seasons or a leaderboard are kept for a year, in case the bot comes back; others for a week.
"""

import re
import time

from services.telegram.repositories import keys
from services.telegram.repositories.repositories import Repositories

DAY_SECONDS = 86_400.0
YEAR, WEEK = 366 * DAY_SECONDS, 7 * DAY_SECONDS
_CHAT, _PERSON = re.compile(r"bot:chat:(-\d+)"), re.compile(r"bot:person:(\d+)")


async def forget_departed(repositories: Repositories, now: float | None = None) -> None:
    """Delete the groups and people whose storage time has ended at `now` (Unix seconds)."""
    now = time.time() if now is None else now
    async for key in repositories.redis.names("bot:chat:-*"):
        if match := _CHAT.fullmatch(key):
            await _look_at_chat(repositories, int(match[1]), now)
    async for key in repositories.redis.names("bot:person:*"):
        if match := _PERSON.fullmatch(key):
            await _look_at_person(repositories, int(match[1]), now)


async def _look_at_chat(repositories: Repositories, chat: int, now: float) -> None:
    present, left = await repositories.redis.hmget(keys.chat(chat), "present", "left")
    if present != "false":
        return
    if not float(left or 0):  # an earlier release did not store the time
        await repositories.chats.update_settings(chat, left=int(now))
        return
    kept = await repositories.redis.exists(keys.leaderboard(chat)) or await repositories.redis.exists(
        keys.evenings_of(chat)
    )
    if now - float(left) > (YEAR if kept else WEEK):
        await forget_chat(repositories, chat)


async def forget_chat(repositories: Repositories, chat: int) -> None:
    """Delete all data of a group; its own record last, so that an interrupted deletion is repeated."""
    before = await repositories.chats.ids_before(chat)
    for chat_table in await repositories.chat_tables.load(await repositories.chat_tables.in_chat(chat)):
        await repositories.chat_tables.delete(chat_table)
    await repositories.chat_tables.forget_chat(chat)
    for id_ in (chat, *before):
        await repositories.seasons.forget_chat(id_)
    await repositories.evenings.forget_chat(chat)
    await repositories.titles.forget_chat(chat)
    await repositories.leaderboards.take_off_lists([chat, *before], await repositories.leaderboards.people(chat))
    await repositories.leaderboards.forget(chat)
    await repositories.redis.hdel(keys.NEWEST, str(chat))
    await repositories.chats.forget_moves(before)
    await repositories.chats.forget(chat)


async def _look_at_person(repositories: Repositories, user: int, now: float) -> None:
    """Delete a person not seen for a year, unless they are on a leaderboard or at a table, or asked to be hidden."""
    seen, hidden = await repositories.redis.hmget(keys.person(user), "seen", "hidden")
    if not float(seen or 0):  # an earlier release did not store the time
        await repositories.people.update(user, seen=int(now))
    elif now - float(seen) > YEAR and hidden != "true":
        for key in (keys.leaderboards_of(user), keys.tables_of(user)):
            if await repositories.redis.exists(key):
                return
        await repositories.people.forget(user)
        await repositories.chats.forget(user)
