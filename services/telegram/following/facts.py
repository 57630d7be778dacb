"""Reads the input data of a table's messages from the engine and the repositories."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from locanda.client import EngineClient
from locanda.messages import Table
from locanda.translations import Language
from services.telegram.drawing.facts import AppLinks, GonePerson, SeatedPerson, TableFacts
from services.telegram.play.cards import GAME_SCREENS
from services.telegram.play.closing import ClosingQuestion
from services.telegram.play.ratings import RatingChange
from services.telegram.play.timeline import Timeline
from services.telegram.play.turns import When, when_to_pass
from services.telegram.records import ChatTable, ClosingSlot, PersonRecord, ShownMessage, ShuffleOutcome, TableSlot
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.lookup import ActionRefusedError, GameCatalogue
from services.telegram.tables.tables import Tables


@dataclass(frozen=True, slots=True)
class FactReader:
    """Reads everything that a table's messages depend on."""

    engine: EngineClient
    repositories: Repositories
    catalogue: GameCatalogue
    tables: Tables
    links: AppLinks

    async def read(
        self, chat_table: ChatTable, timeline: Timeline, shown: Mapping[TableSlot, ShownMessage]
    ) -> TableFacts | None:
        """Return the facts of a table, or None if its game is unknown."""
        game, table = await self.catalogue.game(chat_table.game), timeline.table
        if game is None:
            return None
        ref, repositories = chat_table.ref, self.repositories
        group = await repositories.chats.chat(chat_table.chat)
        language = await self.tables.lookup.language(chat_table)
        over = {number: end for number, end in timeline.over.items() if table and number >= table.match.number - 1}
        return TableFacts(
            chat_table=chat_table,
            game=game,
            group=group,
            language=language,
            links=self.links,
            now=datetime.now(UTC),
            letter=await self.tables.lookup.letter(chat_table),
            table=table,
            turns=timeline.turns,
            turn_since=timeline.turn_since,
            over=over,
            said=[*timeline.said.values()],
            outcomes={number: outcome for number, end in over.items() if (outcome := await self._outcome(ref, end))},
            people=await self._people(chat_table, table),
            gone=await self._gone(ref, language),
            closers=[*(await repositories.people.names(chat_table.closers)).values()],
            ratings=await self._ratings(chat_table, table),
            options_open=self.tables.setup.shows_options(ref),
            closing=await self._closing(chat_table, table, shown),
        )

    async def _outcome(self, ref: str, over: Table) -> ShuffleOutcome | None:
        return await self.repositories.shuffles.outcome(ref, over.id, over.match.number)

    async def _ratings(self, chat_table: ChatTable, table: Table | None) -> Mapping[int, RatingChange]:
        if table is None or table.match.result is None or chat_table.alone:
            return {}
        return await self.repositories.leaderboards.changes(chat_table, table.match.number)

    async def _closing(
        self, chat_table: ChatTable, table: Table | None, shown: Mapping[TableSlot, ShownMessage]
    ) -> ClosingQuestion | None:
        if table is None or table.status != "playing" or ClosingSlot(chat_table.ref, table.match.number) not in shown:
            return None
        return await self.tables.closing.question(chat_table, table)

    # --- people

    async def _people(self, chat_table: ChatTable, table: Table | None) -> list[SeatedPerson]:
        """Return the people at a table in play, each with their view of it, at the table's version or a later one."""
        if table is None or table.deal is None or chat_table.closed:
            return []
        tokens = await self.repositories.seats.tokens(chat_table.ref)
        views = {user: view for user in tokens if (view := await self._view(chat_table, user, table.version))}
        at = {view.you: user for user, view in views.items()}
        return [await self._seated(chat_table, user, tokens[user], view, at) for user, view in views.items()]

    async def _view(self, chat_table: ChatTable, user: int, version: int) -> Table | None:
        try:
            return (await self.tables.lookup.view_for(chat_table, user, version=version))[0]
        except ActionRefusedError:
            return None

    async def _seated(
        self, chat_table: ChatTable, user: int, token: str, table: Table, at: Mapping[int | None, int]
    ) -> SeatedPerson:
        """Return a person with their view of the table; `at` maps seats to the chat's people."""
        person = await self.repositories.people.person(user)
        if person is None:
            return SeatedPerson(user=user, token=token, table=table)
        selected, verdict = await self.tables.selection.at(chat_table.ref, user, token, table)
        return SeatedPerson(
            user=user,
            token=token,
            table=table,
            language=person.language,
            reachable=person.reachable,
            photos=person.photos,
            reminders=person.reminders,
            passes=_passes(chat_table, table, person),
            remarks=person.remarks,
            muted=_muted(table, person, at),
            asked=self.tables.selection.asked(chat_table.ref, user, table),
            selected=selected,
            verdict=verdict,
        )

    async def _gone(self, ref: str, language: Language) -> list[GonePerson]:
        tokens, gone = await self.repositories.seats.tokens(ref), list[GonePerson]()
        for user, why in (await self.repositories.seats.departures(ref)).items():
            person = await self.repositories.people.person(user)
            if user not in tokens and (person is None or person.reachable):
                known = (language, False) if person is None else (person.language, person.photos)
                gone.append(GonePerson(user, why, *known))
        return gone


def _muted(table: Table, person: PersonRecord, at: Mapping[int | None, int]) -> frozenset[int]:
    others = (seat for seat in table.seats if seat.seat != table.you)
    return frozenset(
        other.seat for other in others if not person.remarks or person.mutes(other.name, at.get(other.seat))
    )


def _passes(chat_table: ChatTable, table: Table, person: PersonRecord) -> When:
    free_pass = table.deal is not None and GAME_SCREENS[table.game].free_pass(table.deal)
    return when_to_pass(table, person.passing, alone=chat_table.alone, free_pass=free_pass)
