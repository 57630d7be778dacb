"""Lobbies: open tables, in their group, with the seats or with the options; what they become, and closed tables."""

from msgspec import structs

from services.telegram.catalogue import Catalogue
from services.telegram.memory.memory import Memory
from services.telegram.outbox.parcels import Priority
from services.telegram.painter.places import Places
from services.telegram.records import Room
from services.telegram.screens.lobby import Lobby, closed_screen, lobby_screen, started_screen
from services.telegram.screens.options import options_screen
from shared.messages import Table
from shared.translate import Language
from shared.words.options import summary


class Lobbies:
    """Draws lobbies."""

    def __init__(self, memory: Memory, catalogue: Catalogue, places: Places) -> None:
        self._messages = memory.messages
        self._catalogue = catalogue
        self._places = places
        self._choosing: set[str] = set()
        """Tables whose lobby shows the options."""

    def open_options(self, ref: str) -> None:
        """Let the lobby show the options."""
        self._choosing.add(ref)

    def close_options(self, ref: str) -> None:
        """Let the lobby show its seats again."""
        self._choosing.discard(ref)

    async def draw(self, room: Room, table: Table | None) -> None:
        """Draw an open table."""
        if room.alone:
            return
        language = await self._places.language(room)
        shown = await self._lobby(room, table, language)
        if shown is not None:
            screen = options_screen if room.ref in self._choosing else lobby_screen
            await self._places.show(room, "lobby", screen(shown, language), priority=Priority.NEWS)

    async def start(self, room: Room, table: Table, language: Language) -> None:
        """Draw what is left of a lobby once its first match has begun."""
        shown = await self._lobby(room, table, language)
        if shown is not None:
            await self._places.show(room, "lobby", started_screen(shown, language), anew=False)

    async def close(self, room: Room) -> None:
        """Draw a table that is closed before it is forgotten."""
        if room.alone:
            return
        language = await self._places.language(room)
        shown = await self._lobby(structs.replace(room, engine=None), None, language)
        if shown is None:
            return
        screen = closed_screen(shown, language)
        for slot in await self._messages.of(room.ref):
            if slot == "lobby" or slot.startswith("table:"):
                await self._places.show(room, slot, screen, anew=False)

    async def _lobby(self, room: Room, table: Table | None, language: Language) -> Lobby | None:
        game = await self._catalogue.game(room.game)
        if game is None:
            return None
        options = room.options if table is None else table.options
        return Lobby(
            ref=room.ref,
            game=game,
            options=options,
            turn_seconds=(room.seconds or None) if table is None else table.turn_seconds,
            version=room.drafts if table is None else table.version,
            letter=await self._places.letter(room),
            seats=() if table is None else table.seats,
            differing=tuple(summary(game, options, language)),
            commitment="" if table is None else table.match.commitment,
        )
