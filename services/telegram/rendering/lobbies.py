"""Rendering of lobbies: open tables, and what remains of their messages once they have started or closed."""

from msgspec import structs

from locanda.messages import Table
from locanda.texts.options import most_players, summary
from locanda.translations import Language
from services.telegram.records import ChatTable, DealSlot, LobbySlot
from services.telegram.rendering.display import AppLinks, TableDisplay
from services.telegram.repositories import Repositories
from services.telegram.screens.lobby import Lobby, closed_screen, lobby_screen, options_screen, started_screen
from services.telegram.tables.lookup import GameCatalogue


class LobbyRenderer:
    """Draws lobbies: open tables with their seats or their options, and what remains of them later."""

    def __init__(
        self, repositories: Repositories, catalogue: GameCatalogue, display: TableDisplay, links: AppLinks
    ) -> None:
        self._messages = repositories.messages
        self._catalogue = catalogue
        self._display = display
        self._links = links
        self._options_open: set[str] = set()
        """Tables whose lobby shows the options."""

    def open_options(self, ref: str) -> None:
        """Let a lobby show the options from its next drawing on."""
        self._options_open.add(ref)

    def close_options(self, ref: str) -> None:
        """Let a lobby show the seats from its next drawing on."""
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
        """Draw a lobby whose first match has begun."""
        lobby = await self._lobby(chat_table, table, language)
        if lobby is not None:
            screen = started_screen(lobby, language)
            await self._display.show(chat_table, LobbySlot(chat_table.ref), screen, create=False)

    async def draw_closed(self, chat_table: ChatTable) -> None:
        """Draw a closed table in all its messages: the lobby and the tables of its deals."""
        if chat_table.alone:
            return
        language = await self._display.language(chat_table)
        lobby = await self._lobby(structs.replace(chat_table, engine=None), None, language)
        if lobby is None:
            return
        screen = closed_screen(lobby, language)
        for slot in await self._messages.by_slot(chat_table.ref):
            if isinstance(slot, LobbySlot | DealSlot):
                await self._display.show(chat_table, slot, screen, create=False)

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
