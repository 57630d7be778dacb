"""Renders the screens of lobbies and tables, for their chat and for each person's private chat, into the outbox."""

from collections.abc import Container, Sequence
from datetime import UTC, datetime

from msgspec import Struct, structs

from locanda.client import EngineClient
from locanda.messages import GameInfo, Table
from locanda.texts.options import most_players, summary
from locanda.translations import Language
from services.telegram.records import (
    ChatTable,
    DealEndSlot,
    DealSlot,
    LobbySlot,
    MatchEndSlot,
    ShuffleOutcome,
    TableSlot,
)
from services.telegram.rendering.hands import HandRenderer, SeatedPerson
from services.telegram.repositories import Repositories
from services.telegram.screens.lobby import Lobby, closed_screen, lobby_screen, options_screen, started_screen
from services.telegram.screens.results import deal_over_screen, match_over_screen
from services.telegram.screens.screen import Screen
from services.telegram.screens.table import TableViewModel, finished_deal_screen, table_screen
from services.telegram.sending.messages import Address, Priority
from services.telegram.sending.outbox import Outbox
from services.telegram.settings import AppLinks
from services.telegram.tables.lookup import GameCatalogue, TableLookup
from services.telegram.timeline import DealEnd, PlayedTurn, Timeline


class TableDisplay:
    """Shows screens of a table in its chat: the group, or the private chat of one who plays alone."""

    def __init__(self, repositories: Repositories, outbox: Outbox) -> None:
        self._people = repositories.people
        self._chats = repositories.chats
        self._chat_tables = repositories.chat_tables
        self._messages = repositories.messages
        self._outbox = outbox

    async def letter(self, chat_table: ChatTable) -> str:
        """Return a table's letter; empty while the chat or topic has no other table."""
        if chat_table.alone:
            return ""
        siblings = await self._chat_tables.siblings(chat_table.chat, chat_table.thread)
        return chat_table.letter if any(each.ref != chat_table.ref for each in siblings) else ""

    async def language(self, chat_table: ChatTable) -> Language:
        """Return the language of a table's messages."""
        if not chat_table.alone:
            return (await self._chats.chat(chat_table.chat)).language
        person = await self._people.person(chat_table.chat)
        return "en" if person is None else person.language

    async def pictures(self, chat_table: ChatTable) -> bool:
        """Return whether the end of the table's matches comes with a picture."""
        return not chat_table.alone and (await self._chats.chat(chat_table.chat)).pictures

    async def show(
        self,
        chat_table: ChatTable,
        slot: TableSlot,
        screen: Screen,
        *,
        priority: Priority = Priority.TABLE,
        create: bool = True,
        keep: bool = False,
    ) -> bool:
        """Show a screen in a table's chat; with `create` false, only edit an existing message.

        With `keep` it is stored until it is delivered: after a start nothing draws it again. Return false where the bot
        may not write to the chat.
        """
        if not chat_table.alone and not (await self._chats.chat(chat_table.chat)).present:
            return False
        known = (await self._messages.shown(chat_table.ref)).get(slot)
        to = Address(chat_table.chat, chat_table.thread)
        self._outbox.show(slot, to, screen, known=known, priority=priority, create=create, keep=keep)
        return True


class LobbyRenderer:
    """Draws lobbies: open tables with their seats or their options, and what their messages show later."""

    def __init__(
        self, repositories: Repositories, catalogue: GameCatalogue, display: TableDisplay, links: AppLinks
    ) -> None:
        self._messages = repositories.messages
        self._catalogue = catalogue
        self._display = display
        self._links = links
        self._options_open: set[str] = set()
        """Tables whose lobby shows the options."""
        self._started: dict[str, tuple[object, ...]] = {}
        """For each table whose first match has begun, that with which its lobby was drawn."""

    def open_options(self, ref: str) -> None:
        """Show the options in the lobby's message from its next drawing on."""
        self._options_open.add(ref)

    def close_options(self, ref: str) -> None:
        """Show the seats in the lobby's message from its next drawing on."""
        self._options_open.discard(ref)

    async def draw(self, chat_table: ChatTable, table: Table | None) -> None:
        """Draw an open table."""
        if chat_table.alone:
            return
        language = await self._display.language(chat_table)
        lobby = await self._lobby(chat_table, table, language)
        if lobby is not None:
            screen = options_screen if chat_table.ref in self._options_open else lobby_screen
            slot = LobbySlot(chat_table.ref)
            await self._display.show(chat_table, slot, screen(lobby, language))

    async def draw_started(self, chat_table: ChatTable, table: Table, language: Language) -> None:
        """Draw a lobby whose first match has begun, unless that would change nothing."""
        drawn_with = (table.id, table.seats, language, await self._display.letter(chat_table))
        if self._started.get(chat_table.ref) == drawn_with:
            return
        lobby = await self._lobby(chat_table, table, language)
        if lobby is not None:
            screen = started_screen(lobby, language)
            if await self._display.show(chat_table, LobbySlot(chat_table.ref), screen, create=False):
                self._started[chat_table.ref] = drawn_with

    def forget_table(self, ref: str) -> None:
        """Drop what is kept in memory for a table."""
        self.close_options(ref)
        self._started.pop(ref, None)

    async def draw_closed(self, chat_table: ChatTable) -> None:
        """Draw a closed table in the messages of its lobby and its last deal; those of earlier deals stay."""
        if chat_table.alone:
            return
        language = await self._display.language(chat_table)
        lobby = await self._lobby(structs.replace(chat_table, engine=None), None, language)
        if lobby is None:
            return
        screen = closed_screen(lobby, language)
        messages = await self._messages.by_slot(chat_table.ref)
        deals = (slot for slot in messages if isinstance(slot, DealSlot))
        last = max(deals, key=lambda slot: (slot.match, slot.deal), default=None)
        for slot in messages:
            if isinstance(slot, LobbySlot) or slot == last:
                await self._display.show(chat_table, slot, screen, create=False, keep=True)

    async def _lobby(self, chat_table: ChatTable, table: Table | None, language: Language) -> Lobby | None:
        game = await self._catalogue.game(chat_table.game)
        if game is None:
            return None
        options = chat_table.options if table is None else table.options
        return Lobby(
            ref=chat_table.ref,
            game=game,
            options=options,
            max_seats=(table and table.max_seats) or most_players(game, options),
            turn_seconds=(chat_table.seconds or None) if table is None else table.turn_seconds,
            version=chat_table.drafts if table is None else table.version,
            letter=await self._display.letter(chat_table),
            app=self._links.in_group(chat_table.ref),
            seats=() if table is None else table.seats,
            host=None if table is None else table.host,
            differing=tuple(summary(game, options, language)),
            commitment="" if table is None else table.match.commitment,
            substitute_level="medium" if table is None else table.substitute_level,
            hints=table is not None and table.hints,
        )


class DrawnTable(Struct, frozen=True):
    """What `Renderer.draw` has drawn."""

    people: Sequence[SeatedPerson] = ()
    """The people whose hands were drawn, each with the table as it was."""
    alarm: float | None = None
    """When the table is to be drawn again although nothing has happened (Unix seconds)."""


class Renderer:
    """Draws tables into the outbox; one renderer each for lobbies and for hands."""

    def __init__(
        self,
        engine: EngineClient,
        repositories: Repositories,
        catalogue: GameCatalogue,
        lookup: TableLookup,
        outbox: Outbox,
        links: AppLinks,
    ) -> None:
        self._messages = repositories.messages
        self._shuffles = repositories.shuffles
        self._catalogue = catalogue
        self._lookup = lookup
        self._outbox = outbox
        self._links = links
        self._display = TableDisplay(repositories, outbox)
        self.lobbies = LobbyRenderer(repositories, catalogue, self._display, links)
        self.hands = HandRenderer(engine, repositories, lookup, outbox, links)

    async def draw(self, chat_table: ChatTable, timeline: Timeline) -> DrawnTable:
        """Draw a table with a deal: the message in its chat, and the hand of each person seated at it."""
        table, game = timeline.table, await self._catalogue.game(chat_table.game)
        if table is None or game is None or table.deal is None:
            return DrawnTable()
        people = await self.hands.seated_people(chat_table, table.version)
        model = await self._model(chat_table, game, table, timeline, people)
        if not chat_table.alone:
            await self._draw_in_group(chat_table, model, await self._display.language(chat_table))
        alarm = await self.hands.draw(chat_table, model, people, timeline.turn_since)
        if chat_table.alone and people:
            await self._draw_result(chat_table, model, people[0].language)
        return DrawnTable(people, alarm)

    async def draw_hands(self, chat_table: ChatTable, timeline: Timeline, users: Container[int]) -> None:
        """Draw the hands of these people alone."""
        table, game = timeline.table, await self._catalogue.game(chat_table.game)
        if table is not None and game is not None and table.deal is not None:
            people = await self.hands.seated_people(chat_table, table.version)
            model = await self._model(chat_table, game, table, timeline, people)
            chosen = [each for each in people if each.user in users]
            await self.hands.draw(chat_table, model, chosen, timeline.turn_since)

    async def _model(
        self, chat_table: ChatTable, game: GameInfo, table: Table, timeline: Timeline, people: list[SeatedPerson]
    ) -> TableViewModel:
        unreachable = (each.table.you for each in people if not each.reachable)
        return structs.replace(
            await self._public_model(chat_table, game, table),
            app=self._links.in_group(chat_table.ref),
            turns=timeline.turns,
            unreachable=frozenset(seat for seat in unreachable if seat is not None),
        )

    async def _draw_in_group(self, chat_table: ChatTable, model: TableViewModel, language: Language) -> None:
        table, match, ref = model.table, model.table.match, chat_table.ref
        if match.number == 1 and match.deal == 1:
            await self.lobbies.draw_started(chat_table, table, language)
        before = DealSlot(ref, match.number, match.deal - 1)
        if before in await self._messages.by_slot(ref):
            finished = finished_deal_screen(model, match.deal - 1, language)
            await self._display.show(chat_table, before, finished, create=False)
        current = DealSlot(ref, match.number, match.deal)
        await self._display.show(chat_table, current, table_screen(model, language), create=table.status != "over")
        await self._draw_result(chat_table, model, language)

    async def _draw_result(self, chat_table: ChatTable, model: TableViewModel, language: Language) -> None:
        """Draw the result of a match that is over."""
        if model.table.status == "over":
            slot, outcome = MatchEndSlot(chat_table.ref, model.table.match.number), await self._outcome(model)
            picture = await self._display.pictures(chat_table)
            screen = match_over_screen(model, language, outcome=outcome, picture=picture)
            await self._display.show(chat_table, slot, screen, priority=Priority.NEWS)

    async def _outcome(self, model: TableViewModel) -> ShuffleOutcome | None:
        """Return the outcome of the check of the match's shuffle, if it is done."""
        return await self._shuffles.outcome(model.ref, model.table.id, model.table.match.number)

    async def draw_result(self, chat_table: ChatTable, over: Table) -> None:
        """Draw the result of a match again, with the outcome of the check of its shuffle."""
        model = await self.public_model(chat_table, over)
        await self._draw_result(chat_table, model, await self._display.language(chat_table))

    async def draw_deal_end(self, chat_table: ChatTable, end: DealEnd) -> DealEndSlot:
        """Draw the result of a deal, unless its message was sent; return its slot."""
        slot = DealEndSlot(chat_table.ref, end.table.match.number, end.deal)
        if slot in await self._messages.by_slot(chat_table.ref):
            return slot
        model = await self.public_model(chat_table, end.table)
        screen = deal_over_screen(model, end.deal, end.result, await self._display.language(chat_table), end.event)
        await self._display.show(chat_table, slot, screen, priority=Priority.NEWS)
        return slot

    async def remove_rematch_button(self, chat_table: ChatTable, before: Table) -> None:
        """Draw the result of the match before the current one without the button for a rematch."""
        if before.match.result is None:
            return
        model = await self.public_model(chat_table, before)
        language, outcome = await self._display.language(chat_table), await self._outcome(model)
        picture = await self._display.pictures(chat_table)
        screen = match_over_screen(model, language, rematch=False, outcome=outcome, picture=picture)
        slot = MatchEndSlot(chat_table.ref, before.match.number)
        await self._display.show(chat_table, slot, screen, create=False, keep=True)

    async def public_model(self, chat_table: ChatTable, table: Table) -> TableViewModel:
        """Return the view model of a table as anyone may see it. Raises `LookupError` for an unknown game."""
        game = await self._catalogue.game(chat_table.game)
        if game is None:
            raise LookupError(chat_table.game)
        return await self._public_model(chat_table, game, table)

    async def _public_model(self, chat_table: ChatTable, game: GameInfo, table: Table) -> TableViewModel:
        return TableViewModel(
            ref=chat_table.ref,
            game=game,
            table=table,
            now=datetime.now(UTC),
            letter=await self._display.letter(chat_table),
            alone=chat_table.alone,
            turns=(PlayedTurn(None, tuple(table.events)),),
        )

    async def save(self, ref: str) -> None:
        """Store what was drawn of a table and is not delivered yet. Raises what redis-py raises."""
        await self._outbox.save_table(ref)

    def forget_table(self, ref: str) -> None:
        """Drop what is kept in memory for a table."""
        self.lobbies.forget_table(ref)
        self.hands.forget_table(ref)
        self._lookup.forget_table(ref)
        self._outbox.forget_table(ref)
