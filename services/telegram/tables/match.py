"""Actions in a match: start, moves, remarks and rematch; selection of cards; hints and reviews."""

from secrets import token_urlsafe

from locanda.client import EngineClient
from locanda.errors import StaleError, UnauthorizedError
from locanda.messages import AnswerRematch, GivenMove, Hint, JsonObject, RemarkName, Review, Table, Verdict
from locanda.texts.selection import takes_several
from locanda.translations import Language
from services.telegram.move_codes import move_of
from services.telegram.play.cards import leads_on, selection_to_check
from services.telegram.play.turns import PASS
from services.telegram.records import HandQuestion, LastChoice
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.lookup import ActionRefusedError, TableLookup, require_open
from services.telegram.tables.seat_names import SeatNames


def pressed_move(game: str, code: str) -> GivenMove:
    """Return the move of a button. Raises `ActionRefusedError` for a code of another game or an earlier release."""
    try:
        return GivenMove(move_of(game, code))
    except (LookupError, ValueError):
        raise ActionRefusedError("stale") from None


class MatchActions:
    """Start, moves, remarks and rematch. Its methods raise `ActionRefusedError` and `EngineError`."""

    def __init__(self, engine: EngineClient, repositories: Repositories, lookup: TableLookup, names: SeatNames) -> None:
        self._engine = engine
        self._chats = repositories.chats
        self._changes = repositories.changes
        self._seats = repositories.seats
        self._shuffles = repositories.shuffles
        self._lookup = lookup
        self._names = names

    async def start(self, ref: str, user: int, version: int, key: str) -> None:
        """Start the match, and remember its options for the chat's next table. `key` is the idempotency key."""
        chat_table = await self._lookup.chat_table(ref)
        await self._lookup.require_seated(chat_table, user)
        table, token = await self._lookup.host_view(chat_table)
        require_open(table, version)
        await self._shuffles.keep_commitment(ref, table.id, table.match.number, table.match.commitment)
        await self._engine.start(table.id, token, version=version, key=key)
        await self._chats.remember_choice(
            chat_table.chat, chat_table.game, LastChoice(table.options, table.turn_seconds or 0)
        )

    async def answer(self, ref: str, user: int, match: int, key: str, *, stays: bool) -> Table:
        """Answer for a person whether they play another match after match number `match`; return the table.

        A person who stays gets their current name and a new client seed. A second attempt uses the same seed.
        """
        chat_table = await self._lookup.chat_table(ref)
        table, token = await self._lookup.view_for(chat_table, user)
        if table.match.number > match:
            raise ActionRefusedError("rematch_begun")
        if table.rematch is None or table.match.number != match:
            raise ActionRefusedError("stale")
        await self._shuffles.keep_commitment(ref, table.id, match + 1, table.match.next_commitment or "")
        await self._lookup.reopen(chat_table)  # first, so that the table is followed even after a crash
        if table.you is None:
            return await self._answer_as_newcomer(ref, user, table, token, stays=stays)
        seed = None
        if stays:
            await self._names.bring_up_to_date(chat_table)
            seed = await self._shuffles.keep_seed(ref, table.id, match + 1, user, token_urlsafe(12))
        request = AnswerRematch(stays=stays, client_seed=seed)
        answered = await self._engine.answer_rematch(table.id, table.you, token, request, key=key)
        if stays:
            await self._shuffles.confirm_seed(ref, table.id, match + 1, user)
        self._changes.note_table(ref)
        return answered

    async def _answer_as_newcomer(self, ref: str, user: int, table: Table, token: str, *, stays: bool) -> Table:
        if not stays and table.rematch is not None and table.rematch.you is not None:
            await self._engine.leave(table.id, len(table.seats) + table.rematch.you, token)
            await self._seats.lose(ref, user)
        return table

    async def play(self, ref: str, user: int, version: int, code: str, key: str) -> None:
        """Play a person's move; `code` is the move's code on a button."""
        chat_table = await self._lookup.chat_table(ref)
        token = await self._seats.token(ref, user)
        if token is None or chat_table.engine is None:
            raise ActionRefusedError("not_seated")
        move = pressed_move(chat_table.game, code)
        try:
            await self._play(chat_table.engine, token, move, version, key)
        except UnauthorizedError:
            await self._seats.lose(ref, user)
            raise ActionRefusedError("wrong_token") from None

    async def _play(self, table: str, token: str, move: GivenMove, version: int, key: str) -> None:
        try:
            await self._engine.play(table, token, move, version=version, key=key)
        except StaleError as error:
            events = await self._events_since(table, version, error.problem.version)
            seen = await self._engine.table(table, token)
            if move == GivenMove(PASS) and {"type": "passed", "seat": seen.you} in events:
                raise ActionRefusedError("passed") from None
            _require_turn(seen)
            raise

    async def say(self, ref: str, user: int, remark: RemarkName) -> None:
        """Make a remark at the table."""
        table, token = await self._lookup.view_for(await self._lookup.chat_table(ref), user)
        if table.you is None:
            raise ActionRefusedError("not_seated")
        await self._engine.say(table.id, table.you, token, remark)

    async def _events_since(self, table: str, before: int, now: int | None) -> list[JsonObject]:
        """Return the events between two versions; empty if the engine no longer has all of them."""
        page = await self._engine.event_page(table, after=before)
        since = [item for item in page.events if now is not None and item.id <= now]
        complete = [item.id for item in since] == list(range(before + 1, (now or before) + 1))
        return [event for item in since for event in item.table.events] if complete else []


class HandSelection:
    """The cards that people select before a move, and the questions shown instead of them."""

    def __init__(self, engine: EngineClient, repositories: Repositories, lookup: TableLookup) -> None:
        self._engine = engine
        self._seats = repositories.seats
        self._changes = repositories.changes
        self._lookup = lookup
        self._asked: dict[tuple[str, int], tuple[HandQuestion, int]] = {}
        """Questions shown instead of cards, each with the table's version at that time, by table and person."""

    def ask(self, ref: str, user: int, question: HandQuestion | None, version: int = 0) -> None:
        """Show a person a question instead of their cards; a `question` of None shows the cards again."""
        if question is None:
            self._asked.pop((ref, user), None)
        else:
            self._asked[ref, user] = question, version
        self._changes.note_table(ref)

    def asked(self, ref: str, user: int, table: Table) -> HandQuestion | None:
        """Return the question shown instead of a person's cards, if any.

        A question ends when the table changes; the question which remark to make ends only when the person is on turn.
        """
        question, version = self._asked.get((ref, user), (None, 0))
        plays = table.deal is None or table.deal.turn == table.you
        return question if version == table.version or (question == "remark" and not plays) else None

    async def at(self, ref: str, user: int, token: str, table: Table) -> tuple[frozenset[int], Verdict | None]:
        """Return the indices of the cards that a person on turn has selected, and the engine's verdict on them."""
        if table.deal is None or table.you is None or table.deal.turn != table.you:
            return frozenset(), None
        selected = await self._seats.selected(ref, user, table.version)
        selection = selection_to_check(table, selected)
        if selection is None:
            return frozenset(), None
        if leads_on(table, selection):  # the cards are playable, so the engine need not be asked
            return selected, Verdict(legal=True)
        return selected, await self._engine.check(table.id, token, selection)

    async def select(self, ref: str, user: int, version: int, place: int, *, selected: bool) -> None:
        """Select or deselect the card with index `place`. In a game of single cards, that replaces the selection."""
        table = await self._on_turn(ref, user, version)
        before = await self._seats.selected(ref, user, version) if takes_several(table.game) else frozenset()
        await self._seats.select(ref, user, version, before | {place} if selected else before - {place})

    async def clear(self, ref: str, user: int, version: int) -> None:
        """Deselect all cards."""
        await self._on_turn(ref, user, version)
        await self._seats.select(ref, user, version, frozenset())

    async def _on_turn(self, ref: str, user: int, version: int) -> Table:
        table, _ = await self._lookup.view_for(await self._lookup.chat_table(ref), user, version=version)
        _require_turn(table)
        if table.version != version:
            raise ActionRefusedError("stale")
        return table


def _require_turn(table: Table) -> None:
    """Raise `ActionRefusedError` unless the viewer of a table is on turn."""
    if table.deal is None or table.you is None or table.deal.turn != table.you:
        raise ActionRefusedError("not_your_turn", turn=None if table.deal is None else table.deal.turn)


class Advice:
    """Advice by a strong computer player: hints on a person's turn, and reviews of finished matches."""

    def __init__(self, engine: EngineClient, lookup: TableLookup) -> None:
        self._engine = engine
        self._lookup = lookup

    async def hint(self, ref: str, user: int, version: int, language: Language) -> tuple[Table, Hint]:
        """Return a person's view of the table, and the move that a strong player would make."""
        table, token = await self._lookup.view_for(await self._lookup.chat_table(ref), user)
        if table.version != version:
            raise ActionRefusedError("hand_changed")
        return table, await self._engine.hint(table.id, token, language=language)

    async def review(self, ref: str, user: int, match: int, language: Language) -> tuple[Table, list[Review]]:
        """Return a person's view of the table, and the review of each deal of a match."""
        table, token = await self.require_over(ref, user, match)
        deals = range(1, table.match.deal + 1)
        return table, [
            await self._engine.review(table.id, token, deal, match=match, language=language) for deal in deals
        ]

    async def require_over(self, ref: str, user: int, match: int) -> tuple[Table, str]:
        """Return a person's view of a table whose last match, `match`, is over, and their token."""
        table, token = await self._lookup.view_for(await self._lookup.chat_table(ref), user)
        if table.match.number != match or table.match.result is None:
            raise ActionRefusedError("stale")
        return table, token
