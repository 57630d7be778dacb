"""Calls to open, join, change, leave and fetch a table."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from msgspec import UNSET, Meta, Raw, UnsetType, structs

from locanda import messages
from locanda.games.base import Version
from locanda.messages import OWN_PREFIX
from services.engine.errors import ProblemError
from services.engine.http.api.declaring import Calls
from services.engine.http.api.route import PLAY, SEAT_PATH, TABLE_PATH, TABLES, WATCH, ClientCall
from services.engine.http.api.writing import Write
from services.engine.http.server.context import AppContext
from services.engine.service import tokens
from services.engine.service.accounts import Group
from services.engine.service.idempotency import Caller, TableReply
from services.engine.service.validation import ImpossibleError, read_game, read_options
from services.engine.service.views import EncodedViews
from services.engine.table import rematch, seating
from services.engine.table.match import MatchState
from services.engine.table.state import (
    AnyTable,
    ComputerSettings,
    SeatState,
    ServerState,
    TableSettings,
    Transition,
    game_of,
)

LONGEST_WAIT = 25.0

After = Annotated[Version, Meta(description="The version that you already have.")]

calls = Calls()


class LookQuery(messages.Request, frozen=True):
    """Whether to wait for a newer version of the table."""

    after: After | UnsetType = UNSET
    wait: Annotated[float, Meta(ge=0, le=86_400, description="Seconds to wait for a newer version; 25 at most.")] = 0


@asynccontextmanager
async def _listing(
    context: AppContext, caller: Caller, body: messages.OpenTable | messages.ChangeTable, table: str | None
) -> AsyncIterator[None]:
    """Count the table towards its opener's limit of listed tables, if the request lists it."""
    service, opener = context.service, caller.account
    if body.listed is not True:
        yield
        return
    if table is None:
        is_listed = await service.queries.was_answered(None, caller)
    elif not (is_listed := await service.lobby.is_open(table)):
        opener = (await service.queries.access(table, None)).table.opener or opener
    if is_listed:
        yield
        return
    async with context.limits.listing(opener, service.lobby.count):
        yield


def _seated(call: Write[Any], views: EncodedViews, seat: int | None) -> messages.Seated:
    number = seat if call.token and seat is not None else len(views.table.everybody) - 1
    return messages.Seated(Raw(views.of(seat)), number, None)  # type: ignore[arg-type]  # encoded already


@calls.write(
    TABLES,
    "POST",
    "/v1/tables",
    within=_listing,
    answer=_seated,
    status=201,
    limit="tables",
    problems=("impossible", "name_blocked"),
)
def open_table(call: Write[messages.OpenTable]) -> Transition:
    """Open a table.

    You become its host, on seat 0. The token in the response is shown only once.
    """
    body, caller = call.body, call.caller
    call.require_allowed(body.name)
    game = read_game(body.game)
    settings = TableSettings(
        read_options(game, body.options),
        body.turn_seconds,
        body.listed,
        ComputerSettings(body.substitute_level, body.hints, body.fill_seats),
        body.locked,
    )
    call.hand_out_token()
    table = tokens.table_id_for(caller.key) if caller.key else tokens.new_table_id()
    host = SeatState(body.name, "person", token=call.digest)
    match = MatchState(table, 1, tokens.new_secret())
    return seating.open_table(match, game, host, settings, call.now().now, caller.account)


@calls.read(WATCH, TABLE_PATH, client=None)
async def look(
    context: AppContext, *, table: str, token: str | None, query: LookQuery, client: str, account: Group
) -> TableReply:
    """Get a table.

    The response is the view of the token's seat or, without a token, of a spectator. With `after` and `wait`, the
    response waits for a version newer than `after`, up to that time.
    """
    queries, now = context.service.queries, None
    if query.after is not UNSET and query.wait:
        wait = min(query.wait, LONGEST_WAIT)
        with context.tracker.stream(client), context.tracker.held():  # a long poll counts as a stream
            now = await queries.show_newer(table, token, query.after, wait, account)
    return now or await queries.show(table, token)


@calls.write(
    TABLES,
    "PATCH",
    TABLE_PATH,
    within=_listing,
    problems=("impossible", "not_host", "not_open", "too_many_players"),
    client=ClientCall("change_table"),
)
def change(call: Write[messages.ChangeTable], table: AnyTable, by: int) -> Transition:
    """Change an open table.

    Host only. Fields that you leave out do not change. `locked` may change at any time, the others before a match.
    """
    body = call.body
    computers = {name: getattr(body, name) for name in ComputerSettings.__struct_fields__}
    changed = {name: value for name, value in computers.items() if value is not UNSET}
    settings = TableSettings(
        table.options if body.options is UNSET else read_options(game_of(table), body.options),
        table.turn_seconds if body.turn_seconds is UNSET else body.turn_seconds,
        table.listed if body.listed is UNSET else body.listed,
        structs.replace(table.computers, **changed),
        table.locked if body.locked is UNSET else body.locked,
    )
    return seating.change(table, by, settings)


def _require_name(call: Write[Any]) -> None:
    call.require_allowed(call.body.name)


def _require_bringable(call: Write[messages.SitDown]) -> None:
    """Raise `ImpossibleError` for a person with a level, or for a custom computer player that is not allowed here."""
    _require_name(call)
    body, own_players = call.body, call.context.service.own_players
    if body.kind == "person" and body.level is not None:
        raise ImpossibleError("level", "only a computer player has a level")
    if body.server is not None:
        if not own_players.from_people:
            raise ImpossibleError("server", "people may not bring own players to this server")
        own_players.require_reachable(body.server)
        if body.level is None or not body.level.startswith(OWN_PREFIX):
            raise ImpossibleError("level", f"an own player has a name, such as {OWN_PREFIX}ada")
    if body.kind == "person":
        call.hand_out_token()


def _require_level(call: Write[Any], table: AnyTable, level: str | None) -> None:
    """Raise `ImpossibleError` if the server has no computer player of this level for the table."""
    there = [*call.context.service.own_players.levels(table.game), *(table.servers or ())]
    if level not in (None, "plain", *there):
        raise ImpossibleError("level", f"there is no such player here; there are {', '.join(there)}")


@calls.write(
    TABLES,
    "POST",
    f"{TABLE_PATH}/seats",
    first=_require_bringable,
    answer=_seated,
    status=201,
    limit="seats",
    problems=("impossible", "name_blocked", "name_taken", "not_host", "not_open", "table_full", "table_locked"),
)
def sit(call: Write[messages.SitDown], table: AnyTable, by: int | None) -> Transition:
    """Sit down, or seat a computer player.

    Seating a computer player needs the host's token. A person's token is shown only once. After a match, a person sits
    down for the next one.
    """
    body, person = call.body, call.body.kind == "person"
    level = None if person else body.level or "medium"
    newcomer = SeatState(body.name, body.kind, level, call.digest, body.client_seed or "", away=person and body.away)
    if person and table.match.result is not None:
        return rematch.sit(table, newcomer, call.now())
    if body.server is not None:
        table = seating.with_server(table, newcomer, ServerState(body.server.url, body.server.secret))
    _require_level(call, table, level)
    return seating.sit(table, newcomer, by)


@calls.write(
    TABLES,
    "DELETE",
    SEAT_PATH,
    compared="seats",
    problems=("not_host", "not_your_seat", "already_computer", "still_playing"),
)
def leave(call: Write[None], table: AnyTable, by: int, seat: int) -> Transition:
    """Leave a seat, or remove another player.

    At an open table, later seats move up. During a match, a computer player takes the hand; then the host can remove
    only players who are away or, without a time limit, have been on turn for a day. In the latter case, any other seat
    may also remove the host.
    """
    if seat != by and table.host not in (by, seat):
        raise ProblemError("not_your_seat")
    return seating.leave(table, seat, by, call.now())


@calls.write(
    TABLES,
    "PUT",
    f"{SEAT_PATH}/successor",
    first=_require_name,
    compared="seats",
    problems=("not_your_seat", "name_blocked", "name_taken"),
    client=ClientCall(unpacks=("name",)),
)
def leave_nameless(call: Write[messages.SetName], table: AnyTable, by: int, seat: int) -> Transition:
    """Leave a seat, and remove your name from the table.

    The name in the request replaces yours in the table, in its events, and for the computer player that takes the hand.
    Clients that resume older events get a `gap`.
    """
    require_own(by, seat)
    return seating.leave(table, seat, by, call.now(), call.body.name)


@calls.write(
    TABLES,
    "PATCH",
    SEAT_PATH,
    problems=("impossible", "not_host", "not_open", "not_computer"),
    client=ClientCall(unpacks=("level",)),
)
def set_level(call: Write[messages.SetLevel], table: AnyTable, by: int, seat: int) -> Transition:
    """Set the level of a computer player.

    Host only, while the table is open.
    """
    _require_level(call, table, call.body.level)
    return seating.set_level(table, seat, call.body.level, by)


@calls.write(
    TABLES,
    "PUT",
    f"{SEAT_PATH}/name",
    first=_require_name,
    problems=("name_blocked", "name_taken", "not_host", "not_computer", "already_playing", "renamed_lately"),
    client=ClientCall(unpacks=("name",)),
)
def set_name(call: Write[messages.SetName], table: AnyTable, by: int, seat: int) -> Transition | None:
    """Rename a seat.

    Your own before or after a match or, as the host, a computer player's at any time; once in 30 seconds. If the seat
    still has the name of a player who has left, renaming removes that name from the table, and clients that resume
    older events get a `gap`.
    """
    return seating.set_name(table, seat, call.body.name, by, call.now().now)


@calls.write(TABLES, "PUT", f"{SEAT_PATH}/seed", problems=("not_your_seat", "already_playing", "seed_used"))
def give_seed(call: Write[messages.GiveSeed], table: AnyTable, by: int, seat: int) -> Transition | None:
    """Set your seat's client seed for the next match's shuffle.

    It is valid for one match; a seat without one has an empty seed.
    """
    require_own(by, seat)
    return seating.give_seed(table, seat, call.body.client_seed)


@calls.write(PLAY, "POST", f"{SEAT_PATH}/return", problems=("not_your_seat", "not_away", "hand_given_up"))
def come_back(call: Write[None], table: AnyTable, by: int, seat: int) -> Transition:
    """Take your hand back from a computer player."""
    require_own(by, seat)
    return seating.come_back(table, seat, call.now())


def require_own(by: int, seat: int) -> None:
    """Raise `ProblemError` `not_your_seat` if a seat is not the caller's."""
    if seat != by:
        raise ProblemError("not_your_seat")
