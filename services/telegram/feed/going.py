"""Who goes, and what becomes of the tables: a person leaves his, a group takes its own along."""

import structlog

from services.telegram.feed.feed import Feed
from services.telegram.memory.memory import Memory
from services.telegram.memory.migration import has_moved, migrate
from services.telegram.outbox.outbox import Outbox
from services.telegram.tables.seating import Seating
from shared.errors import EngineError

log = structlog.get_logger(__name__)


async def depart(seating: Seating, feed: Feed, user: int, *, chat: int | None = None) -> None:
    """Let a person leave all his tables, or those of one chat; computer players take over."""
    try:
        left = await seating.leave_all(user, chat=chat)
    except EngineError as error:
        log.warning("departure_failed", code=error.code)
        return
    for room in left:
        await feed.refresh(room.ref)


async def follow_group(memory: Memory, outbox: Outbox, feed: Feed, old: int, new: int) -> None:
    """Follow a group to the supergroup that it became, unless that has been done."""
    if await has_moved(memory, old, new):
        return
    await migrate(memory, old, new)
    outbox.move(old, new)
    for room in await memory.rooms.existing(await memory.rooms.in_chat(new)):
        await feed.refresh(room.ref)
