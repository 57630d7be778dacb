"""Reads the input data of an evening's messages from the repositories."""

import time
from collections.abc import Mapping

from services.common.names import distinct_names
from services.telegram.evenings.drawing import EveningFacts
from services.telegram.evenings.evening import Evening, coming
from services.telegram.evenings.screens import EveningView
from services.telegram.evenings.summary import summary
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.lookup import GameCatalogue


class EveningReader:
    """Reads everything that an evening's messages depend on."""

    def __init__(self, repositories: Repositories, catalogue: GameCatalogue) -> None:
        self._repositories = repositories
        self._catalogue = catalogue

    async def read(self, evening: Evening, now: float | None = None) -> EveningFacts | None:
        """Return the facts of an evening, or None if its game is unknown."""
        repositories, game = self._repositories, await self._catalogue.game(evening.game)
        if game is None:
            return None
        now = time.time() if now is None else now
        answers, matches = (
            await repositories.evenings.answers(evening.ref),
            await repositories.evenings.matches(evening.ref),
        )
        records = await repositories.leaderboards.records(evening.chat) if matches else []  # for streaks
        before = [
            record.places for record in records if record.game == evening.game and record.ended < evening.announced
        ]
        plan = await repositories.evenings.plan(evening.chat)
        following = None if plan is None else plan.next(max(now, evening.starts))
        people = {*answers, *(person for match in matches for person in match.places)}
        latest = evening.tables[-1] if evening.tables else ()
        tables = {table.ref: await repositories.chat_tables.find(table.ref) for table in latest}
        playing = any(table is not None and not (table.over or table.closed) for table in tables.values())
        view = EveningView(
            evening=evening,
            game=game,
            now=now,
            names=distinct_names(await repositories.people.names(people)),
            coming=coming(answers),
            staying=[user for user, comes in answers.items() if not comes],
            letters={ref: table.letter for ref, table in tables.items() if table},
            fingerprints=await self._fingerprints(tables),
            playing=playing,
            summary=summary(matches, before, await repositories.seasons.points(evening.chat)),
            following=None if following is None else following[1],
        )
        last_end = None if playing else max([evening.changed, *(match.ended for match in matches)])
        return EveningFacts(view=view, group=await repositories.chats.chat(evening.chat), last_end=last_end)

    async def _fingerprints(self, tables: Mapping[str, ChatTable | None]) -> dict[str, str]:
        by_ref = {}
        for ref, table in tables.items():
            if table is not None and table.engine is not None:
                commitment, _ = await self._repositories.shuffles.kept(ref, table.engine, 1)
                by_ref[ref] = commitment or ""
        return {ref: value for ref, value in by_ref.items() if value}
