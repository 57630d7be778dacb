"""Repository of seasons: each group's current season, and the archive of past ones."""

import asyncio

import msgspec
from msgspec import structs

from services.telegram.evenings.summary import Score
from services.telegram.play.dates import zone_of, zones
from services.telegram.records import NOBODY
from services.telegram.repositories import keys
from services.telegram.repositories.forms import Records
from services.telegram.repositories.leaderboards import LeaderboardRepository
from services.telegram.repositories.people_and_chats import ChatRepository
from services.telegram.repositories.remembered import RememberedRedis
from services.telegram.seasons.season import Ended, PastSeason, Season, due, ended

SEASON, SCORES = "season", tuple[Score, ...]
PAST = "season:"
"""Prefix of the archive's fields; the season's number follows."""


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
        """Return the times and places of a group's recorded matches."""
        return [(record.ended, record.places) for record in await self._leaderboards.records(chat)]

    async def current(self, chat: int, now: float) -> Season:
        """Return a group's current season, after archiving seasons that are over at `now`.

        Repeated calls give the same archive, because it depends only on the match records and on the ends of seasons.
        """
        season = await self._listed(chat)
        await asyncio.to_thread(zones)
        record, group = await self.record(chat), await self._chats.chat(chat)
        while (until := due(season, record, zone_of(group.zone, group.language), now)) is not None:
            season = await self._end(chat, season, record, until)
        return season

    async def since(self, chat: int) -> float:
        """Return the beginning of a group's stored season (Unix seconds); match records after it are still needed.

        It reads no match records, so that counting a match is fast.
        """
        return (await self._listed(chat)).since

    async def _listed(self, chat: int) -> Season:
        """Return a group's stored season, and add the group to the groups with a season."""
        if not await self._redis.sismember(keys.SEASONS, str(chat)):
            await self._redis.sadd(keys.SEASONS, str(chat))
        return await self._stored(chat)

    async def points(self, chat: int) -> tuple[int, ...]:
        """Return the points of a group's places, first place first."""
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
        """Store a group's current season."""
        await self._records.save(keys.evenings_of(chat), SEASON, season)

    async def archive(self, chat: int, past: PastSeason) -> None:
        """Store a past season: the winners in the group's hash, all scores under a key of their own."""
        await self._redis.set(keys.season_scores(chat, past.number), msgspec.json.encode(past.scores).decode())
        await self._records.save(keys.evenings_of(chat), f"{PAST}{past.number}", past.of_champions)

    async def past(self, chat: int) -> list[PastSeason]:
        """Return a group's past seasons with only the winners' scores, latest first.

        A season that an earlier release stored with all scores is stored again in the new form.
        """
        seasons = await self._records.all(keys.evenings_of(chat), PastSeason, PAST)
        for season in seasons.values():
            if season != season.of_champions:
                await self.archive(chat, season)
        by_number = sorted(seasons.values(), key=lambda season: season.number, reverse=True)
        return [season.of_champions for season in by_number]

    async def with_scores(self, chat: int, past: PastSeason) -> PastSeason:
        """Return a past season with all its scores."""
        stored = await self._redis.get(keys.season_scores(chat, past.number))
        return past if stored is None else structs.replace(past, scores=msgspec.json.decode(stored, type=SCORES))

    async def forget_chat(self, chat: int) -> None:
        """Delete the scores of a group's past seasons, and remove it from the groups with a season."""
        for past in await self.past(chat):
            await self._redis.delete(keys.season_scores(chat, past.number))
        await self._redis.srem(keys.SEASONS, str(chat))

    async def move(self, old: int, new: int) -> None:
        """Move the scores of past seasons to the supergroup that a group became."""
        for past in await self.past(old):
            scored = await self.with_scores(old, past)
            if scored != past:
                await self.archive(new, scored)
                await self._redis.delete(keys.season_scores(old, past.number))

    async def forget_person(self, user: int) -> None:
        """Remove a person from the past seasons of all groups in which they have played."""
        for listed in await self._redis.smembers(keys.leaderboards_of(user)):
            chat = await self._chats.current_id(int(listed))
            for past in await self.past(chat):
                await self.archive(chat, (await self.with_scores(chat, past)).without(user))
        for chat in await self.chats():
            season = await self._stored(chat)
            if season.by == user:
                await self.save(chat, structs.replace(season, by=NOBODY))
