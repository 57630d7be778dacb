"""`Service`, the one object between HTTP and the store: calls that change tables; `queries` has those that read."""

import asyncio
from collections.abc import Awaitable, Callable
from math import ceil

import msgspec
from msgspec import UNSET, Raw, Struct, structs

from locanda import messages
from locanda.games.game import AnyGame
from locanda.messages import OWN_PREFIX, Language
from services.common.processes import end
from services.engine.service import tokens
from services.engine.service.accounts import Accounts, group_of
from services.engine.service.administration import Administration
from services.engine.service.advice import Advisor, Reviews
from services.engine.service.checking import checked
from services.engine.service.computers import ComputerPlayers, Thinking, account_of
from services.engine.service.errors import (
    NameBlockedError,
    NoTokenError,
    NotYourSeatError,
    TooSoonError,
    UnservedReason,
    UnservedTables,
    unserved_reason,
)
from services.engine.service.idempotency import Caller, TableReply
from services.engine.service.lobby import LobbyQueries
from services.engine.service.move_time import LEAD, MoveTime
from services.engine.service.overdue import OverdueTables
from services.engine.service.playing_out import PlayedOut, WrongPart
from services.engine.service.queries import Queries, TableAccess
from services.engine.service.table_administration import TableAdministration
from services.engine.service.transactions import Renewal, Transactions, TransitionObserver, fresh_token, ignore
from services.engine.service.validation import ImpossibleError, read_game, read_move, read_options
from services.engine.service.waking import HeldBackError, WakingTurns
from services.engine.service.workers import Workers
from services.engine.store import Store
from services.engine.store.errors import DamagedError
from services.engine.table import playing, rematch, seating
from services.engine.table.match import MatchState
from services.engine.table.state import (
    AnyTable,
    ComputerSettings,
    SeatState,
    ServerState,
    TableError,
    TableSettings,
    Transition,
    TransitionContext,
    game_of,
    turn_of,
)
from services.engine.table.view import moves, view

RELEASE_MILLISECONDS = 250
"""After so long another clock may claim a table that this one cannot serve."""

REMARK_PAUSE = 5_000
"""Milliseconds between two remarks from one seat."""


class Service:
    """The calls on tables; those that read are in `queries`. It holds no game state: any replica serves any call."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        think_ms: int = 1000,
        observe: TransitionObserver = ignore,
        unserved: Callable[[UnservedReason], None] = lambda _: None,
        thinking: Thinking | None = None,
        accounts: Accounts | None = None,
    ) -> None:
        self._store = store
        self._thinking = thinking or Thinking(Workers())
        self.own_players = self._thinking.own_players
        self._computers = ComputerPlayers(store, self._thinking)
        self._advisor = Advisor(self._computers, self._thinking)
        self._reviews = Reviews(self._advisor, self._thinking.review_iterations)
        self._turns = WakingTurns(accounts or Accounts())
        self._unserved = UnservedTables(unserved)
        self._now = now
        self._warming: asyncio.Task[None] | None = None
        cpu_ms = self._thinking.budget.cpu_ms
        self._lead_ms = think_ms if cpu_ms is None else min(think_ms, round(LEAD * cpu_ms))
        self._wait_ms = think_ms - self._lead_ms
        """How long after the move before the clock lets a computer player think."""
        self.overdue_tables = OverdueTables(store, now, self._wait_ms)
        self.queries = Queries(store, self.overdue_tables, accounts or Accounts())
        self.lobby = LobbyQueries(store, self._unserved)
        self._transactions = Transactions(store, self.overdue_tables, self._noting(observe))
        self.administration = Administration(store.administration, now)
        self.tables = TableAdministration(store, self._transactions, self.administration)
        store.renew = Renewal(store).renew

    def _noting(self, observe: TransitionObserver) -> TransitionObserver:
        def note(outcome: str, transition: Transition) -> None:
            self.lobby.forget(transition.table.id)
            if outcome == "committed":
                self.administration.numbers.count(transition)
            observe(outcome, transition)

        return note

    def _now_context(self, ahead: float = 0.0) -> TransitionContext:
        """Return the context of a transition that is made in so many seconds."""
        return TransitionContext(self._now() + round(ahead * 1000), self._wait_ms)

    def warm(self) -> None:
        """Begin to start the processes in which computer players think."""
        self._warming = asyncio.create_task(self._thinking.workers.warm())

    async def ready(self) -> None:
        """Return once the processes have started, if they are to, and the store answers. Raises `StoreDownError`."""
        if self._warming:
            await asyncio.shield(self._warming)
        await self._store.ping()

    async def was_answered(self, table: str | None, caller: Caller) -> bool:
        """Return whether a request under the caller's idempotency key was answered already.

        Then a repetition changes nothing. The key counts for one table, or for opening tables.
        """
        if caller.key is None:
            return False
        opened = tokens.table_id_for(caller.key) if table is None else table
        return (await self._store.load(opened, caller.answer_key)).answer is not None

    # --- seats

    async def open(self, request: messages.OpenTable, caller: Caller) -> TableReply:
        """Open a table; the reply is `Seated`. Raises `ValidationError`, `NameBlockedError`."""
        self._require_allowed(request.name)
        game = read_game(request.game)
        settings = TableSettings(
            read_options(game, request.options),
            request.turn_seconds,
            request.listed,
            ComputerSettings(request.substitute_level, request.hints, request.fill_seats),
        )
        token, nonce = fresh_token(caller)
        table = tokens.table_id_for(caller.key) if caller.key else tokens.new_table_id()
        host = SeatState(request.name, "person", token=tokens.digest(token))
        match = MatchState(table, 1, tokens.new_secret())
        transition = seating.open_table(match, game, host, settings, self._now(), group_of(caller.client))

        def respond(after: AnyTable, seat: int | None) -> Struct:
            return messages.Seated(view(after, seat), seat or 0, None)

        return await self._transactions.create(transition, caller, respond, token, nonce)

    async def change(self, table: str, caller: Caller, request: messages.ChangeTable) -> TableReply:
        """Change an open table; the reply is the table."""

        def decide(found: AnyTable, seat: int | None) -> Transition:
            return seating.change(found, _own(seat), _changed_settings(found, request))

        return await self._transactions.write(table, caller, decide, view)

    async def sit(self, table: str, caller: Caller, request: messages.SitDown) -> TableReply:
        """Take the next free seat; the reply is `Seated`, with a token for a person. Raises `NameBlockedError`."""
        self._require_allowed(request.name)
        person = request.kind == "person"
        if person and request.level is not None:
            raise ImpossibleError("level", "only a computer player has a level")
        self._require_bringable(request)
        token, nonce = fresh_token(caller) if person else (None, b"")
        newcomer = SeatState(
            request.name,
            request.kind,
            None if person else request.level or "medium",
            tokens.digest(token) if token else b"",
            request.client_seed or "",
        )

        def decide(found: AnyTable, seat: int | None) -> Transition:
            if person and found.match.result is not None:
                return rematch.sit(found, newcomer, self._now_context())
            if request.server is not None:
                found = seating.with_server(found, newcomer, ServerState(request.server.url, request.server.secret))
            self._require_level(found, newcomer.level)
            return seating.sit(found, newcomer, seat)

        def respond(after: AnyTable, seat: int | None) -> Struct:
            number = seat if person and seat is not None else len(after.everybody) - 1
            return messages.Seated(view(after, seat), number, None)

        return await self._transactions.write(table, caller, decide, respond, token=token, nonce=nonce)

    async def set_level(self, table: str, caller: Caller, number: int, request: messages.SetLevel) -> TableReply:
        """Set the level of a computer player at an open table; the reply is the table."""

        def decide(found: AnyTable, seat: int | None) -> Transition:
            self._require_level(found, request.level)
            return seating.set_level(found, number, request.level, _own(seat))

        return await self._transactions.write(table, caller, decide, view)

    async def set_name(self, table: str, caller: Caller, number: int, request: messages.SetName) -> TableReply:
        """Give a seat another name; the reply is the table. Raises `NameBlockedError`."""
        self._require_allowed(request.name)

        def decide(found: AnyTable, seat: int | None) -> Transition | None:
            return seating.set_name(found, number, request.name, _own(seat))

        return await self._transactions.write(table, caller, decide, view)

    async def give_seed(self, table: str, caller: Caller, number: int, request: messages.GiveSeed) -> TableReply:
        """Set the client seed of a seat for the next match; the reply is the table."""

        def decide(found: AnyTable, seat: int | None) -> Transition | None:
            return seating.give_seed(found, _own(seat, number), request.client_seed)

        return await self._transactions.write(table, caller, decide, view)

    async def leave(self, table: str, caller: Caller, number: int) -> TableReply:
        """Leave a seat, or remove another player as the host; the reply is the table as the caller sees it then."""

        def decide(found: AnyTable, seat: int | None) -> Transition:
            by = _own(seat)
            if by not in (number, found.host):
                raise NotYourSeatError
            return seating.leave(found, number, by, self._now_context())

        return await self._transactions.write(table, caller, decide, view, compared="seats")

    async def come_back(self, table: str, caller: Caller, number: int) -> TableReply:
        """Take the caller's hand back from a computer player; the reply is the table."""

        def decide(found: AnyTable, seat: int | None) -> Transition:
            return seating.come_back(found, _own(seat, number), self._now_context())

        return await self._transactions.write(table, caller, decide, view)

    def _require_bringable(self, request: messages.SitDown) -> None:
        """Raise `ImpossibleError` if an own player is brought that may not be, or by a name that is not one's."""
        if request.server is None:
            return
        if not self.own_players.from_people:
            raise ImpossibleError("server", "nobody brings own players to this server")
        self.own_players.require_reachable(request.server)
        if request.level is None or not request.level.startswith(OWN_PREFIX):
            raise ImpossibleError("level", f"an own player has a name, such as {OWN_PREFIX}ada")

    def _require_level(self, table: AnyTable, level: str | None) -> None:
        """Raise `ImpossibleError` if there is no such player for a table."""
        there = [*self.own_players.levels(table.game), *(table.servers or ())]
        if level not in (None, "plain", *there):
            raise ImpossibleError("level", f"nobody of that name plays here: there are {', '.join(there)}")

    def _require_allowed(self, name: str) -> None:
        if self.administration.set.is_blocked(name):
            raise NameBlockedError

    # --- playing

    async def start(self, table: str, caller: Caller) -> TableReply:
        """Start the match or the rematch; the reply is the table."""

        def decide(found: AnyTable, seat: int | None) -> Transition:
            return playing.start(found, _own(seat), self._now_context())

        return await self._transactions.write(table, caller, decide, view, compared="seats")

    async def answer(self, table: str, caller: Caller, number: int, request: messages.AnswerRematch) -> TableReply:
        """Note whether the caller stays for a rematch; the reply is the table."""

        def decide(found: AnyTable, seat: int | None) -> Transition:
            return rematch.answer(
                found,
                _own(seat, number),
                stay=request.stays,
                client_seed=request.client_seed,
                context=self._now_context(),
            )

        return await self._transactions.write(table, caller, decide, view)

    async def play(self, table: str, caller: Caller, move: Raw) -> TableReply:
        """Make a move; the reply is `Moved`. Raises `ValidationError`, `TableError`, `MoveRefusedError`."""

        def decide(found: AnyTable, seat: int | None) -> Transition:
            number = _own(seat)
            return playing.play(found, number, read_move(game_of(found), move), self._now_context())

        def respond(after: AnyTable, seat: int | None) -> Struct:
            return messages.Moved(view(after, seat), list(after.events))

        return await self._transactions.write(table, caller, decide, respond, compared="cards")

    async def legal_moves(self, table: str, token: str | None) -> messages.LegalMoves:
        """Return the caller's legal moves now."""
        accessed = await self.access(table, token)
        return messages.LegalMoves(turn_of(accessed.table), moves(accessed.table, _own(accessed.seat)))

    async def check(self, table: str, token: str | None, asked: messages.CheckMove) -> messages.Verdict:
        """Return whether the caller may make this move now, and if not, why."""
        accessed = await self.access(table, token)
        seat = _own(accessed.seat)
        return checked(game_of(accessed.table), asked, lambda move: playing.check(accessed.table, seat, move))

    async def say(self, table: str, token: str | None, number: int, remark: messages.RemarkName) -> messages.SaidRemark:
        """Say something from the caller's seat. Raises `TooSoonError`.

        It changes no version: the table does not know of it. Who waits for the next match has no seat to speak from.
        """
        accessed = await self.access(table, token)
        _own(accessed.seat, number)
        if number >= len(accessed.table.seats):
            raise TableError("no_such_seat", seat=number)
        said = messages.SaidRemark(number, remark)
        wait = await self._store.say(table, number, msgspec.json.encode(said), REMARK_PAUSE)
        if wait:
            raise TooSoonError(wait)
        return said

    # --- advice

    async def suggest(
        self, game: AnyGame, request: messages.SuggestRequest, language: Language, client: str
    ) -> messages.Suggestion:
        """Return a computer player's move in a view. Raises `ValidationError`, `TableError`, `NoThoughtError`.

        `client` is the key by which a client is counted, also below.
        """
        return await self._advisor.suggest(game, request, language, client)

    async def play_out(self, game: AnyGame, request: messages.PlayoutsRequest, client: str) -> PlayedOut | WrongPart:
        """Return how deals end that are played out, or what in the request is wrong. Raises `NoThoughtError`."""
        return await self._advisor.play_out(game, request, client)

    async def plan_rounds(self, request: messages.RoundsRequest, client: str) -> messages.RoundsAnswer:
        """Return the rounds of a tournament. Raises `NoThoughtError`."""
        return await self._advisor.plan_rounds(request, client)

    async def hint(
        self, table: str, token: str | None, language: Language, client: str, *, words: bool = False
    ) -> messages.Hint:
        """Return what `hard` would play in the caller's seat. Raises `TableError`, `NoThoughtError`."""
        accessed = await self.access(table, token)
        return await self._advisor.hint(accessed.table, _own(accessed.seat), language, client, words=words)

    async def review(
        self,
        table: str,
        token: str | None,
        deal: int,
        match: int | None,
        language: Language,
        client: str,
        *,
        words: bool = False,
    ) -> messages.Review:
        """Return the caller's moves of a deal beside those of `hard`. Raises as `proof` does, and `NoThoughtError`."""
        accessed = await self.access(table, token)
        seat = _own(accessed.seat)
        log = await self.queries.finished_log(accessed.table, deal, match)
        return await self._reviews.review(game_of(accessed.table), log, seat, language, client, words=words)

    async def access(self, table: str, token: str | None) -> TableAccess:
        """Return the table and the seat of a token. Raises `NoSuchTableError`, `WrongTokenError`."""
        return await self.queries.access(table, token)

    # --- the clock

    async def wake(self, table: str) -> None:
        """Play for a computer player, or for a person whose time is up, if it is time and its opener's turn."""
        known = await self._transactions.known(table)
        account, opener = (table, None) if known is None else (account_of(known), known.opener)
        try:
            await self._turns.take(account, opener, lambda: self._wake(table))
        except HeldBackError as held:
            at, version = self._now() + ceil(held.seconds * 1000), None
            if known is not None:
                at, version = max(at, known.wake or at), known.version
            await self._store.schedule(table, at, version)

    async def _wake(self, table: str) -> None:
        """Wake a table. One that this release cannot serve is released, so that another's clock may claim it."""

        async def decide(found: AnyTable) -> Transition | None:
            if found.status == "over":
                return rematch.due(found, self._now_context()) or playing.corrected(found, self._now_context())
            number = playing.due_seat(found, self._now_context())
            if number is None:
                return playing.corrected(found, self._now_context())
            time = MoveTime(self._lead_ms / 1000)
            transition = await self._computers.transition(found, number, time, lambda: self._now_context(time.left()))
            await asyncio.sleep(time.left())
            return transition

        if await self._act(table, decide):
            self._unserved.served(table)
        elif self._unserved.may_release(table):
            await self._store.schedule(table, self._now() + RELEASE_MILLISECONDS)

    async def postpone(self, table: str, milliseconds: int) -> None:
        """Postpone a table's deadline by the length of an outage."""

        async def decide(found: AnyTable) -> Transition | None:
            return playing.postpone(found, milliseconds)

        await self._act(table, decide)

    async def close(self) -> None:
        """End the processes in which computer players think."""
        if self._warming:
            await end(self._warming)
        await self._thinking.workers.close()

    async def _act(self, table: str, decide: Callable[[AnyTable], Awaitable[Transition | None]]) -> bool:
        """Commit the clock's transition, if there is one; return whether this release can serve the table."""
        try:
            await self._transactions.act(table, decide)
        except (TableError, DamagedError) as error:
            reason = unserved_reason(error)
            if reason is None:
                raise
            self._unserved.report(table, reason)
            return False
        return True


def _own(seat: int | None, number: int | None = None) -> int:
    """Return the caller's seat.

    Raises `NoTokenError` without a token, `NotYourSeatError` if it is not seat `number`.
    """
    if seat is None:
        raise NoTokenError
    if number is not None and seat != number:
        raise NotYourSeatError
    return seat


def _changed_settings(found: AnyTable, request: messages.ChangeTable) -> TableSettings:
    computers = {name: getattr(request, name) for name in ComputerSettings.__struct_fields__}
    given = {name: value for name, value in computers.items() if value is not UNSET}
    return TableSettings(
        found.options if request.options is UNSET else read_options(game_of(found), request.options),
        found.turn_seconds if request.turn_seconds is UNSET else request.turn_seconds,
        found.listed if request.listed is UNSET else request.listed,
        structs.replace(found.computers, **given),
    )
