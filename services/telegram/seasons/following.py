"""Ends the seasons of groups on time, and announces each end and its winner once."""

import time

from msgspec import structs

from services.telegram.play.dates import local, zone_of
from services.telegram.repositories.repositories import Repositories
from services.telegram.seasons.screens import season_over_screen
from services.telegram.seasons.season import PastSeason
from services.telegram.sending.messages import Address
from services.telegram.sending.outbox import Outbox

LOOK_SECONDS = 600.0
MORNING, NIGHT = 9, 22
"""Local hours within which the end of a season is announced: seasons end at midnight, when people may sleep."""


class Seasons:
    """Ends and announces the seasons of all groups."""

    def __init__(self, repositories: Repositories, outbox: Outbox) -> None:
        self._repositories = repositories
        self._seasons = repositories.seasons
        self._outbox = outbox

    async def look(self) -> None:
        """End the seasons that are due, and announce ended ones to groups where it is day."""
        now = time.time()
        for chat in await self._seasons.chats():
            group = await self._repositories.chats.chat(chat)
            await self._seasons.current(chat, now)
            if group.present and MORNING <= local(now, zone_of(group.zone, group.language)).hour < NIGHT:
                await self.announce(chat)

    async def announce(self, chat: int) -> None:
        """Announce a group's latest ended season, unless it was announced already."""
        new = [past for past in await self._seasons.past(chat) if not past.announced]
        for past in reversed(new):
            # Only the latest end is announced: after a long outage, the list of titles shows the others.
            await self._announce(chat, past, in_chat=past is new[0])

    async def _announce(self, chat: int, past: PastSeason, *, in_chat: bool) -> None:
        repositories = self._repositories
        past = await self._seasons.with_scores(chat, past)
        group, plan = await repositories.chats.chat(chat), await repositories.evenings.plan(chat)
        names = await repositories.people.names(score.person for score in past.scores)
        screen = season_over_screen(past, names, zone_of(group.zone, group.language), group.language)
        with self._outbox.holding(f"season {chat} {past.number}"):
            if in_chat and screen is not None:
                self._outbox.send(Address(chat, plan.thread if plan else None), screen)
                await self._outbox.save()
            await self._seasons.archive(chat, structs.replace(past, announced=True))
