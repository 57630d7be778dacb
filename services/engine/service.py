"""The one object between HTTP and the store: every call on tables."""

from collections.abc import AsyncGenerator, Callable
from random import SystemRandom

from msgspec import UNSET, Raw, Struct

from services.engine import codec, tokens
from services.engine.errors import NoSuchDealError, NoTokenError, NotYourSeatError
from services.engine.faults import ImpossibleError
from services.engine.following import Follower, Seen, Told
from services.engine.idempotency import Caller, Reply
from services.engine.match import Match
from services.engine.proofs import prove
from services.engine.reading import read_game, read_move, read_options
from services.engine.store.store import Store
from services.engine.table import playing, seating
from services.engine.table.state import AnyTable, Moment, Seat, Step, TableError, Terms, game_of, turn_of
from services.engine.table.view import listing, moves, view
from services.engine.writing import Observe, Writer, fresh_token, ignore, read
from shared import messages
from shared.games.base import Refusal


class Service:
    """What the API can do with tables. It holds no state: any replica can serve any call."""

    def __init__(self, store: Store, now: Callable[[], int], think: int = 1000, observe: Observe = ignore) -> None:
        self._store = store
        self._now = now
        self._think = think
        self._writer = Writer(store, observe)
        self._follower = Follower(store)
        self._rng = SystemRandom()

    def _moment(self) -> Moment:
        return Moment(self._now(), self._think)

    async def ping(self) -> None:
        """Raise `StoreDownError` where the store does not answer."""
        await self._store.ping()

    # --- coming and going

    async def open(self, request: messages.OpenTable, caller: Caller) -> Reply:
        """Open a table; the answer is `Seated`. Raises `FaultError`."""
        game = read_game(request.game)
        terms = Terms(read_options(game, request.options), request.turn_seconds, request.listed)
        token, nonce = fresh_token(caller)
        table = tokens.table_id_for(caller.key) if caller.key else tokens.new_table_id()
        host = Seat(request.name, "person", token=tokens.digest(token))
        step = seating.open_table(Match(table, 1, tokens.new_secret()), game, host, terms, self._now())

        def respond(after: AnyTable, _: int | None) -> Struct:
            return messages.Seated(view(after, 0), 0, None)

        return await self._writer.create(step, caller, respond, token, nonce)

    async def change(self, table: str, caller: Caller, request: messages.ChangeTable) -> Reply:
        """Change an open table; the answer is the table."""

        def decide(found: AnyTable, seat: int | None) -> Step:
            return seating.change(found, _own(seat), _changed_terms(found, request))

        return await self._writer.write(table, caller, decide, view)

    async def sit(self, table: str, caller: Caller, request: messages.SitDown) -> Reply:
        """Take the next free seat; the answer is `Seated`, with a token for a person."""
        person = request.kind == "person"
        if person and request.level is not None:
            raise ImpossibleError("level", "only a computer player has a level")
        token, nonce = fresh_token(caller) if person else (None, b"")
        newcomer = Seat(
            request.name,
            request.kind,
            None if person else request.level or "plain",
            tokens.digest(token) if token else b"",
            request.client_seed or "",
        )

        def decide(found: AnyTable, seat: int | None) -> Step:
            return seating.sit(found, newcomer, seat)

        def respond(after: AnyTable, seat: int | None) -> Struct:
            number = len(after.seats) - 1
            return messages.Seated(view(after, number if person else seat), number, None)

        return await self._writer.write(table, caller, decide, respond, token=token, nonce=nonce)

    async def give_seed(self, table: str, caller: Caller, number: int, request: messages.GiveSeed) -> Reply:
        """Take a seat's share in the coming shuffle; the answer is the table."""

        def decide(found: AnyTable, seat: int | None) -> Step:
            return seating.give_seed(found, _own(seat, number), request.client_seed)

        return await self._writer.write(table, caller, decide, view)

    async def leave(self, table: str, caller: Caller, number: int) -> Reply:
        """Leave a seat, or remove somebody as the host; the answer is the table as the caller sees it then."""

        def decide(found: AnyTable, seat: int | None) -> Step:
            by = _own(seat)
            if by not in (number, found.host):
                raise NotYourSeatError
            return seating.leave(found, number, by, self._moment())

        return await self._writer.write(table, caller, decide, view)

    async def come_back(self, table: str, caller: Caller, number: int) -> Reply:
        """Take one's hand back from a computer player; the answer is the table."""

        def decide(found: AnyTable, seat: int | None) -> Step:
            return seating.come_back(found, _own(seat, number), self._moment())

        return await self._writer.write(table, caller, decide, view)

    # --- playing

    async def start(self, table: str, caller: Caller) -> Reply:
        """Start the match or the rematch; the answer is the table."""

        def decide(found: AnyTable, seat: int | None) -> Step:
            return playing.start(found, _own(seat), self._moment())

        return await self._writer.write(table, caller, decide, view)

    async def play(self, table: str, caller: Caller, move: Raw) -> Reply:
        """Make a move; the answer is `Moved`. Raises `FaultError`, `TableError`, `IllegalMoveError`."""

        def decide(found: AnyTable, seat: int | None) -> Step:
            number = _own(seat)
            return playing.play(found, number, read_move(game_of(found), move), self._moment())

        def respond(after: AnyTable, seat: int | None) -> Struct:
            return messages.Moved(view(after, seat), list(after.events))

        return await self._writer.write(table, caller, decide, respond)

    async def legal_moves(self, table: str, token: str | None) -> messages.LegalMoves:
        """Return the caller's legal moves now."""
        seen = await self.see(table, token)
        return messages.LegalMoves(turn_of(seen.table), moves(seen.table, _own(seen.seat)))

    async def check(self, table: str, token: str | None, move: Raw) -> messages.Verdict:
        """Tell whether the caller may make this move now, and if not, why."""
        seen = await self.see(table, token)
        seat = _own(seen.seat)
        return verdict(playing.check(seen.table, seat, read_move(game_of(seen.table), move)))

    # --- looking

    async def see(self, table: str, token: str | None) -> Seen:
        """Return the table and the seat of a token. Raises `NoSuchTableError`, `WrongTokenError`."""
        return await self._follower.see(table, token)

    async def look(self, table: str, token: str | None) -> Reply:
        """Return what the bearer may see of a table now. Raises `NoSuchTableError`, `WrongTokenError`."""
        return await self._follower.look(table, token)

    async def look_newer(self, table: str, token: str | None, after: int, wait: float) -> Reply:
        """Return it once the table is newer than a version, or as it is after so many seconds."""
        return await self._follower.look_newer(table, token, after, wait)

    async def events(self, table: str, token: str | None, after: int | None) -> list[messages.EventItem]:
        """Return the events that the table remembers, after a version."""
        return await self._follower.page(table, token, after)

    def follow(self, table: str, token: str | None, after: int | None) -> AsyncGenerator[Told | None]:
        """Yield the table's events as they happen, the first at once where `after` is none; none is a sign of life."""
        return self._follower.follow(table, token, after)

    async def listed(self, cursor: str | None, limit: int) -> messages.TablePage:
        """Return a page of the open tables that anyone may join. Raises `FaultError`."""
        try:
            ids, following = await self._store.listed(cursor, limit)
        except ValueError as error:
            raise ImpossibleError("cursor", str(error)) from None
        found = []
        for table in ids:
            snapshot = (await self._store.load(table)).snapshot
            state = codec.decode(snapshot.data) if snapshot else None
            if state and state.listed and state.status == "open":
                found.append(listing(state))
            else:
                await self._store.unlist(table)
        return messages.TablePage(found, following)

    async def proof(self, table: str, deal: int, match: int | None) -> messages.Proof:
        """Return the proof of a deal. Raises `TableError` while its match goes on, `NoSuchDealError`."""
        state = read((await self._store.load(table)).snapshot)
        number = state.match.number if match is None else match
        if number == state.match.number and state.match.result is None:
            raise TableError("match_not_over", match=number)
        lines = await self._store.log(table, number, deal)
        if not lines:
            raise NoSuchDealError
        return prove(game_of(state), *codec.decode_log(state.game, lines))

    # --- the clock

    async def wake(self, table: str) -> None:
        """Play for a computer player, or for a person whose time is up, if it is time."""
        await self._writer.act(table, lambda found: playing.wake(found, self._moment(), self._rng))

    async def put_off(self, table: str, milliseconds: int) -> None:
        """Put a table's deadline off by as long as the house was closed."""
        await self._writer.act(table, lambda found: playing.put_off(found, milliseconds))


def verdict(refusal: Refusal | None) -> messages.Verdict:
    """Return a game's word on a move as the wire says it."""
    if refusal is None:
        return messages.Verdict(legal=True)
    return messages.Verdict(legal=False, code=refusal.code, facts=refusal.facts)


def _own(seat: int | None, number: int | None = None) -> int:
    """Return the caller's seat. Raises `NoTokenError` without one, `NotYourSeatError` where it is not the one named."""
    if seat is None:
        raise NoTokenError
    if number is not None and seat != number:
        raise NotYourSeatError
    return seat


def _changed_terms(found: AnyTable, request: messages.ChangeTable) -> Terms:
    return Terms(
        found.options if request.options is UNSET else read_options(game_of(found), request.options),
        found.turn_seconds if request.turn_seconds is UNSET else request.turn_seconds,
        found.listed if request.listed is UNSET else request.listed,
    )
