"""Repository of seasons: the one under way in each group, and the archive of those before."""

import asyncio

from msgspec import structs

from services.telegram.play.dates import zone_of, zones
from services.telegram.records import NOBODY
from services.telegram.repositories import keys
from services.telegram.repositories.forms import Records
from services.telegram.repositories.leaderboards import LeaderboardRepository
from services.telegram.repositories.people_and_chats import ChatRepository
from services.telegram.repositories.remembered import RememberedRedis
from services.telegram.seasons.season import Ended, PastSeason, Season, due, ended

SEASON = "season"
PAST = "season:"
"""Begins the fields of the archive, by number."""


class SeasonRepository:
    """The seasons of all groups."""

    def __init__(self, redis: RememberedRedis, chats: ChatRepository, leaderboards: LeaderboardRepository) -> None:
        self._redis = redis
        self._records = Records(redis)
        self._chats = chats
        self._leaderboards = leaderboards

    async def chats(self) -> list[int]:
        """Return the groups with a season."""
        listed = await self._redis.smembers(keys.SEASONS)
        return sorted({await self._chats.current_id(int(chat)) for chat in listed})

    async def record(self, chat: int) -> list[Ended]:
        """Return the record of a group's matches, from which tables are made."""
        return [(record.ended, record.places) for record in await self._leaderboards.records(chat)]

    async def current(self, chat: int, now: float) -> Season:
        """Return a group's season under way; those that are over by now go to the archive first.

        Any later time gives the same archive: it follows from the record and the season's end.
        """
        if not await self._redis.sismember(keys.SEASONS, str(chat)):
            await self._redis.sadd(keys.SEASONS, str(chat))
        season = await self._stored(chat)
        await asyncio.to_thread(zones)
        record, group = await self.record(chat), await self._chats.chat(chat)
        while (until := due(season, record, zone_of(group.zone, group.language), now)) is not None:
            season = await self._end(chat, season, record, until)
        return season

    async def points(self, chat: int) -> tuple[int, ...]:
        """Return the points of a group's places, from the first place on."""
        return (await self._stored(chat)).points

    async def _stored(self, chat: int) -> Season:
        return await self._records.find(keys.evenings_of(chat), SEASON, Season) or Season()

    async def end(self, chat: int, now: float) -> Season:
        """End a group's season; return the next one, or the same if no match was played."""
        return await self._end(chat, await self.current(chat, now), await self.record(chat), now)

    async def _end(self, chat: int, season: Season, record: list[Ended], until: float) -> Season:
        end = ended(season, record, until)
        if end is None:
            return season
        past, following = end
        await self.archive(chat, past)
        await self.save(chat, following)
        return following

    async def save(self, chat: int, season: Season) -> None:
        """Store a group's season under way."""
        await self._records.save(keys.evenings_of(chat), SEASON, season)

    async def archive(self, chat: int, past: PastSeason) -> None:
        """Store a season that is over."""
        await self._records.save(keys.evenings_of(chat), f"{PAST}{past.number}", past)

    async def past(self, chat: int) -> list[PastSeason]:
        """Return the archive of a group, the latest season first."""
        seasons = await self._records.all(keys.evenings_of(chat), PastSeason, PAST)
        return sorted(seasons.values(), key=lambda past: past.number, reverse=True)

    async def forget_chat(self, chat: int) -> None:
        """Take a group off the list of those with a season."""
        await self._redis.srem(keys.SEASONS, str(chat))

    async def forget_person(self, user: int) -> None:
        """Take a person out of the archives of all groups in which they have played."""
        for listed in await self._redis.smembers(keys.leaderboards_of(user)):
            chat = await self._chats.current_id(int(listed))
            for past in await self.past(chat):
                await self.archive(chat, past.without(user))
        for chat in await self.chats():
            season = await self._stored(chat)
            if season.by == user:
                await self.save(chat, structs.replace(season, by=NOBODY))
