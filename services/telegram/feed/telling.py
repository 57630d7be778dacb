"""Telling what is news: the painter draws it, a finished match is counted, and what has been told is remembered.

After a restart nothing is told twice and nothing is left out.
"""

from msgspec import structs

from services.telegram.feed.news import News
from services.telegram.memory.memory import Memory
from services.telegram.painter.painter import Painter
from services.telegram.records import Room
from services.telegram.tables.looking import Looking
from shared.messages import Table


class Teller:
    """Tells the news of any table."""

    def __init__(self, memory: Memory, looking: Looking, painter: Painter) -> None:
        self._memory = memory
        self._looking = looking
        self._painter = painter

    async def tell(self, room: Room, news: News) -> None:
        """Have everything drawn that changed."""
        table = news.story.table
        if table is None:
            return
        await self._memory.rooms.touch(room.ref)
        if room.over and table.status == "playing":
            await self._memory.rooms.keep(structs.replace(room, over=False))
        await self._tell_rematch(room, news, table)
        await self._tell_ends(room, news)
        await self._count(room, table)
        if table.status == "open":
            await self._painter.lobbies.draw(room, table)
        else:
            self._painter.lobbies.close_options(room.ref)
            await self._painter.table(room, news.story)
        await self._memory.rooms.tell(room.ref, news.told(table, await self._memory.messages.of(room.ref)))

    async def _tell_rematch(self, room: Room, news: News, table: Table) -> None:
        """Take the rematch's button away once it has begun."""
        if table.status == "over":
            news.over = table
        elif news.over is not None:
            await self._painter.rematched(room, news.over)
            news.over = None

    async def _tell_ends(self, room: Room, news: News) -> None:
        for version, ended in news.ends:
            news.pending[await self._painter.deal_end(room, ended)] = version
        news.ends.clear()

    async def _count(self, room: Room, table: Table) -> None:
        """Count a finished match for the group's leaderboard."""
        result = table.match.result
        if result is None or room.alone:
            return
        seats = await self._looking.seats(room)
        winners = [user for user, seat in seats.items() if seat in result.ranking[0]]
        await self._memory.boards.count(room, table.match.number, winners, seats)

    async def is_told(self, room: Room, table: Table) -> bool:
        """Tell whether the match is over and everybody knows; then there is nothing to follow until a rematch."""
        if table.status != "over":
            return False
        if table.match.result is None:
            return True
        if f"over:{table.match.number}" not in await self._memory.messages.of(room.ref):
            return False
        await self._memory.rooms.keep(structs.replace(room, over=True))
        return True
