"""Lookup of tables, views, seats and games; the error for refused actions."""

from msgspec import structs

from locanda.client import EngineClient
from locanda.errors import UnauthorizedError
from locanda.games.registry import GAME_NAMES
from locanda.messages import GameDetails, GameInfo, GameName, Lesson, Table
from locanda.translations import Language
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories


class ActionRefusedError(Exception):
    """An action is refused. `code` is stable and has a text in `screens.notices`; `facts` are the text's arguments."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


def require_open(table: Table, version: int | None = None) -> None:
    """Raise `ActionRefusedError` unless the table is open and, if `version` is given, unchanged since that version."""
    if table.status != "open":
        raise ActionRefusedError("not_open")
    if version is not None:
        require_version(table.version, version)


def require_version(now: int, version: int) -> None:
    """Raise `ActionRefusedError` unless the button was drawn from the current version."""
    if now != version:
        raise ActionRefusedError("stale")


class TableLookup:
    """Looks up tables and the people seated at them. Its methods raise `ActionRefusedError` and `EngineError`."""

    def __init__(self, engine: EngineClient, repositories: Repositories) -> None:
        self._engine = engine
        self._people = repositories.people
        self._chats = repositories.chats
        self._chat_tables = repositories.chat_tables
        self._seats = repositories.seats
        self._views: dict[str, dict[str, Table]] = {}
        """Cache of the newest view for each table and token."""

    async def chat_table(self, ref: str) -> ChatTable:
        """Return the bot's record of a table that is not closed."""
        chat_table = await self._chat_tables.find(ref)
        if chat_table is None or chat_table.closed:
            raise ActionRefusedError("no_table")
        return chat_table

    async def view_for(self, chat_table: ChatTable, user: int, *, version: int | None = None) -> tuple[Table, str]:
        """Return a seated person's view of the engine's table, and their token.

        With `version`, a cached view of this or a later version is returned without a call to the engine.
        """
        token = await self._seats.token(chat_table.ref, user)
        if token is None or chat_table.engine is None:
            raise ActionRefusedError("not_seated")
        known = self._views.get(chat_table.ref, {}).get(token)
        if version is not None and known is not None and known.id == chat_table.engine and known.version >= version:
            return known, token
        try:
            table = await self._engine.table(chat_table.engine, token)
        except UnauthorizedError:
            await self._seats.lose(chat_table.ref, user)
            raise ActionRefusedError("wrong_token") from None
        self.keep_view(chat_table.ref, token, table)
        return table, token

    def keep_view(self, ref: str, token: str, table: Table) -> None:
        """Cache the view for a token, unless the cached view is newer."""
        views = self._views.setdefault(ref, {})
        known = views.get(token)
        if known is None or known.id != table.id or known.version < table.version:
            views[token] = table

    def forget_table(self, ref: str) -> None:
        """Drop the cached views of a table."""
        self._views.pop(ref, None)

    async def public_view(self, chat_table: ChatTable) -> Table | None:
        """Return the spectators' view of the engine's table; None until the first person has taken a seat."""
        return None if chat_table.engine is None else await self._engine.table(chat_table.engine)

    async def letter(self, chat_table: ChatTable) -> str:
        """Return a table's letter; empty for the only table of a chat or topic and evening."""
        if chat_table.alone:
            return ""
        siblings = await self._chat_tables.siblings(chat_table.chat, chat_table.thread, of=chat_table.evening)
        return chat_table.letter if any(sibling.ref != chat_table.ref for sibling in siblings) else ""

    async def language(self, chat_table: ChatTable) -> Language:
        """Return the language of a table's messages in its chat."""
        if not chat_table.alone:
            return (await self._chats.chat(chat_table.chat)).language
        person = await self._people.person(chat_table.chat)
        return "en" if person is None else person.language

    async def seats(self, chat_table: ChatTable) -> dict[int, int]:
        """Return the seat of each person at a table."""
        seats = {}
        for user in await self._seats.tokens(chat_table.ref):
            try:
                table, _ = await self.view_for(chat_table, user)
            except ActionRefusedError:
                continue
            if table.you is not None:
                seats[user] = table.you
        return seats

    async def seats_in(self, chat_table: ChatTable, over: Table) -> dict[int, int]:
        """Return the seat of each person in a match that is over.

        If the next match has begun since, perhaps with other people, seats are found by name.
        """
        names, seats = [seat.name for seat in over.seats], dict[int, int]()
        for user, seat in (await self.seats(chat_table)).items():
            table, _ = await self.view_for(chat_table, user, version=over.version)
            if table.match.number == over.match.number:
                seats[user] = seat
            elif table.you is not None and table.seats[table.you].name in names:
                seats[user] = names.index(table.seats[table.you].name)
        return seats

    async def reopen(self, chat_table: ChatTable) -> ChatTable:
        """Record that a table continues after a match, which makes a follower draw it again."""
        letter = await self._chat_tables.free_letter(chat_table.chat, chat_table.thread, of=chat_table.ref)
        again = structs.replace(chat_table, over=False, letter=letter)
        await self._chat_tables.save(again)
        return again

    async def host_view(self, chat_table: ChatTable) -> tuple[Table, str]:
        """Return the host's view of the engine's table, and the host's token."""
        if chat_table.engine is None:
            raise ActionRefusedError("nobody_seated")
        for token in (await self._seats.tokens(chat_table.ref)).values():
            try:
                table = await self._engine.table(chat_table.engine, token)
            except UnauthorizedError:
                continue
            if table.you == table.host:
                return table, token
        raise ActionRefusedError("not_host")

    async def require_seated(self, chat_table: ChatTable, user: int) -> None:
        """Raise `ActionRefusedError` unless the person sits at the table or, if it is empty, opened it."""
        tokens = await self._seats.tokens(chat_table.ref)
        if user not in tokens and (tokens or user != chat_table.opener):
            raise ActionRefusedError("not_yours")


class GameCatalogue:
    """Cache of the engine's games for which the bot has screens, with their rules and lessons."""

    def __init__(self, engine: EngineClient) -> None:
        self._engine = engine
        self._games: list[GameInfo] = []
        self._details: dict[str, GameDetails] = {}
        self._lessons: dict[tuple[str, Language], Lesson] = {}

    async def games(self) -> list[GameInfo]:
        """Return all games, from the cache if possible. Raises `EngineError`."""
        if not self._games:
            await self.look()
        return self._games

    async def look(self) -> None:
        """Read all games from the engine again, because their computer players may change. Raises `EngineError`."""
        self._games = [game for game in await self._engine.games() if game.game in GAME_NAMES]

    async def game(self, name: str) -> GameInfo | None:
        """Return a game, or None if it is unknown. Raises `EngineError`."""
        return next((game for game in await self.games() if game.game == name), None)

    async def known(self, name: str) -> GameInfo:
        """Return a game. Raises `EngineError`, or `ActionRefusedError` if the engine no longer has it."""
        game = await self.game(name)
        if game is None:
            raise ActionRefusedError("unknown_button")
        return game

    async def rules(self, name: str, language: Language) -> str:
        """Return a game's rules as Markdown. Raises `EngineError`."""
        if name not in self._details:
            self._details[name] = await self._engine.game(GameName(name))
        rules = self._details[name].rules
        return rules.it if language == "it" else rules.en

    async def lesson(self, name: str, language: Language) -> Lesson:
        """Return a game's lesson. Raises `EngineError`, or `ActionRefusedError` for a game without one."""
        if not (await self.known(name)).lesson:
            raise ActionRefusedError("unknown_button")
        if (name, language) not in self._lessons:
            self._lessons[name, language] = await self._engine.lesson(GameName(name), language=language)
        return self._lessons[name, language]
