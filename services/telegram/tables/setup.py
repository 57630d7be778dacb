"""Setup of tables: opening, computer players, options, time for a turn, removal of players, closing."""

from collections.abc import Callable

from msgspec import structs

from locanda.client import EngineClient
from locanda.errors import StaleError
from locanda.messages import (
    ChangeTable,
    ComputerLevel,
    GameInfo,
    GivenOptions,
    JsonObject,
    SeatableLevel,
    SitDown,
    Table,
)
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.lookup import (
    ActionRefusedError,
    GameCatalogue,
    TableLookup,
    require_open,
    require_version,
)
from services.telegram.tables.seat_names import computer_name

ATTEMPTS = 5
"""Number of attempts to change a table's options while other people change the table."""


class TableSetup:
    """Changes of tables, mostly before a match. Its methods raise `ActionRefusedError` and `EngineError`."""

    def __init__(
        self, engine: EngineClient, repositories: Repositories, catalogue: GameCatalogue, lookup: TableLookup
    ) -> None:
        self._engine = engine
        self._chats = repositories.chats
        self._chat_tables = repositories.chat_tables
        self._seats = repositories.seats
        self._catalogue = catalogue
        self._lookup = lookup
        self._changes = repositories.changes
        self._options_open: set[str] = set()
        """Open tables whose lobby shows the options."""

    async def open(self, chat_table: ChatTable) -> ChatTable:
        """Open a table with the options and turn time of the chat's last match of the game; return it."""
        choice = await self._chats.last_choice(chat_table.chat, chat_table.game)
        chat = await self._chats.chat(chat_table.chat)
        opened = structs.replace(
            chat_table,
            letter=await self._chat_tables.free_letter(chat_table.chat, chat_table.thread),
            options=choice.options if choice else {},
            seconds=0 if chat_table.alone else choice.seconds if choice else chat.seconds,
        )
        await self._chat_tables.save(opened)
        return opened

    def show_options(self, ref: str, *, shown: bool) -> None:
        """Show the options or the seats in the lobby."""
        if shown != (ref in self._options_open):
            self._options_open ^= {ref}
            self._changes.note_table(ref)

    def shows_options(self, ref: str) -> bool:
        """Return whether a lobby shows the options."""
        return ref in self._options_open

    async def close(self, chat_table: ChatTable, closers: tuple[int, ...] = ()) -> None:
        """Mark a table as closed. Its follower then removes everybody, shows the closed table, and deletes it."""
        await self._chat_tables.save(structs.replace(chat_table, closed=True, closers=closers))

    async def change_computer_players(
        self, ref: str, version: int, step: int, key: str, level: SeatableLevel = "medium"
    ) -> None:
        """Seat a computer player (`step` 1), or remove the last computer player (-1). `key` is the idempotency key."""
        table, token = await self._lookup.host_view(await self._lookup.chat_table(ref))
        require_open(table, version)
        if step > 0:
            computer = SitDown(computer_name(table), kind="computer", level=level)
            await self._engine.sit(table.id, computer, token, key=key)
            return
        seats = [seat.seat for seat in table.seats if seat.kind == "computer"]
        if not seats:
            raise ActionRefusedError("no_computer")
        await self._engine.leave(table.id, seats[-1], token)

    async def fill(self, ref: str, seats: int, key: str, level: SeatableLevel = "medium") -> Table:
        """Seat computer players at an open table until `seats` are taken; return the host's view.

        Idempotency keys begin with `key`, so a repeated call continues an interrupted one.
        """
        chat_table = await self._lookup.chat_table(ref)
        table, _ = await self._lookup.host_view(chat_table)
        while table.status == "open" and len(table.seats) < seats:
            await self.change_computer_players(ref, table.version, 1, f"{key}-{len(table.seats)}", level)
            table, _ = await self._lookup.host_view(chat_table)
        return table

    async def set_level(self, ref: str, seat: int, level: SeatableLevel) -> None:
        """Set the level of a computer player at an open table."""
        table, token = await self._lookup.host_view(await self._lookup.chat_table(ref))
        if seat >= len(table.seats) or table.seats[seat].kind != "computer":
            raise ActionRefusedError("stale")
        await self._engine.set_level(table.id, seat, token, level, version=table.version)

    async def set_substitutes(self, ref: str, level: ComputerLevel) -> None:
        """Set the level of computers that play for people who leave later or are away."""
        await self._change(ref, ChangeTable(substitute_level=level))

    async def set_hints(self, ref: str, *, allowed: bool) -> None:
        """Allow or forbid hints at an open table."""
        await self._change(ref, ChangeTable(hints=allowed))

    async def _change(self, ref: str, change: ChangeTable) -> None:
        table, token = await self._lookup.host_view(await self._lookup.chat_table(ref))
        await self._engine.change_table(table.id, token, change)

    async def remove_player(self, ref: str, user: int, version: int, seat: int, key: str) -> None:
        """Remove another person from a table, if the engine allows it.

        After removal from an open table, the person cannot sit there again. A current match counts as if they had left.
        """
        chat_table = await self._lookup.chat_table(ref)
        table, token = await self._lookup.view_for(chat_table, user)
        require_version(table.version, version)
        if seat >= len(table.seats) or seat == table.you or table.seats[seat].kind != "person":
            raise ActionRefusedError("stale")
        person = next((each for each, at in (await self._lookup.seats(chat_table)).items() if at == seat), None)
        await self._engine.leave(table.id, seat, token, version=version, key=key)
        if person is None:
            return
        if table.status == "playing":
            await self._seats.record(ref, person, table.match.number, seat)
        else:
            await self._seats.ban(ref, person)
        await self._seats.lose(ref, person)

    async def change_options(self, ref: str, change: Callable[[GameInfo, JsonObject], JsonObject]) -> None:
        """Change the options of an open table, or of the bot's record while nobody sits there.

        If the table changes at the same time, `change` is applied to the newer table.
        """
        chat_table = await self._lookup.chat_table(ref)
        game = await self._catalogue.known(chat_table.game)
        if chat_table.engine is None:
            await self._redraft(chat_table, options=change(game, chat_table.options))
            return
        for _ in range(ATTEMPTS):
            table, token = await self._lookup.host_view(chat_table)
            require_open(table)
            options = change(game, table.options)
            if options == table.options:
                return
            try:
                await self._engine.change_table(
                    table.id, token, ChangeTable(options=GivenOptions(options)), version=table.version
                )
            except StaleError:
                continue
            return
        raise ActionRefusedError("stale")

    async def set_time(self, ref: str, seconds: int) -> None:
        """Set the time for a turn in seconds; 0 for no limit."""
        chat_table = await self._lookup.chat_table(ref)
        if chat_table.engine is None:
            await self._redraft(chat_table, seconds=seconds)
            return
        await self._change(ref, ChangeTable(turn_seconds=seconds or None))

    async def _redraft(
        self, chat_table: ChatTable, *, options: JsonObject | None = None, seconds: int | None = None
    ) -> None:
        redrafted = structs.replace(
            chat_table,
            options=chat_table.options if options is None else options,
            seconds=chat_table.seconds if seconds is None else seconds,
            drafts=chat_table.drafts + 1,
        )
        await self._chat_tables.save(redrafted)
