"""The calls to open, join, change, leave and show a table, and to play at it."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from locanda import messages
from locanda.games.base import Version
from locanda.messages import Language
from services.engine.http.api.handlers.games import EQUAL_MOVES, SELECTIONS
from services.engine.http.api.route import PLAY, SEAT_PATH, TABLE_PATH, TABLES, WATCH, Route
from services.engine.http.problems.types import REFUSAL_TYPES
from services.engine.http.server.context import AppContext
from services.engine.service.accounts import group_of
from services.engine.service.idempotency import Caller, TableReply

LONGEST_WAIT = 25.0

After = Annotated[Version, Meta(description="The version that is known already.")]


class LookQuery(messages.Request, frozen=True):
    """Whether to wait for something newer."""

    after: After | UnsetType = UNSET
    wait: Annotated[float, Meta(ge=0, le=86_400, description="Seconds to wait for it; 25 at most.")] = 0


# --- seats


async def open_table(context: AppContext, *, body: messages.OpenTable, caller: Caller, client: str) -> TableReply:
    """Open a table."""
    if not body.listed or await context.service.was_answered(None, caller):
        return await context.service.open(body, caller)
    async with context.limits.listing(group_of(client), context.service.lobby.count):
        return await context.service.open(body, caller)


def _opened(reply: TableReply) -> str:
    return msgspec.json.decode(reply.body, type=messages.Seated).table.id


def opened_at(reply: TableReply) -> str:
    """Return the path of the table that `open_table` has opened, for `Location`."""
    return f"/v1/tables/{_opened(reply)}"


async def look(context: AppContext, *, table: str, token: str | None, query: LookQuery, client: str) -> TableReply:
    """Return the table as the bearer may see it: at once, or once it is newer than a version.

    A call that waits counts as a stream.
    """
    now = None
    if query.after is not UNSET and query.wait:
        with context.tracker.stream(client), context.tracker.held():
            now = await context.service.queries.show_newer(
                table, token, query.after, min(query.wait, LONGEST_WAIT), group_of(client)
            )
    return now or await context.service.queries.show(table, token)


async def change(
    context: AppContext, *, table: str, body: messages.ChangeTable, caller: Caller, client: str
) -> TableReply:
    """Change an open table."""
    lobby = context.service.lobby
    if body.listed is not True or await lobby.is_open(table):
        return await context.service.change(table, caller, body)
    opener = (await context.service.access(table, None)).table.opener
    async with context.limits.listing(opener or group_of(client), lobby.count):
        return await context.service.change(table, caller, body)


async def sit(context: AppContext, *, table: str, body: messages.SitDown, caller: Caller) -> TableReply:
    """Take a seat, or seat a computer player."""
    return await context.service.sit(table, caller, body)


async def leave(context: AppContext, *, table: str, seat: int, caller: Caller) -> TableReply:
    """Leave a seat, or remove another player as the host."""
    return await context.service.leave(table, caller, seat)


async def set_level(
    context: AppContext, *, table: str, seat: int, body: messages.SetLevel, caller: Caller
) -> TableReply:
    """Set the level of a computer player."""
    return await context.service.set_level(table, caller, seat, body)


async def set_name(context: AppContext, *, table: str, seat: int, body: messages.SetName, caller: Caller) -> TableReply:
    """Give a seat another name."""
    return await context.service.set_name(table, caller, seat, body)


async def give_seed(
    context: AppContext, *, table: str, seat: int, body: messages.GiveSeed, caller: Caller
) -> TableReply:
    """Set a seat's client seed for the next match's shuffle."""
    return await context.service.give_seed(table, caller, seat, body)


async def come_back(context: AppContext, *, table: str, seat: int, caller: Caller) -> TableReply:
    """Give the hand that a computer player holds back to its player."""
    return await context.service.come_back(table, caller, seat)


# --- playing


async def start(context: AppContext, *, table: str, caller: Caller) -> TableReply:
    """Start the match or the rematch."""
    return await context.service.start(table, caller)


async def answer_rematch(
    context: AppContext, *, table: str, seat: int, body: messages.AnswerRematch, caller: Caller
) -> TableReply:
    """Say whether one stays for another match."""
    return await context.service.answer(table, caller, seat, body)


async def moves(context: AppContext, *, table: str, token: str) -> messages.LegalMoves:
    """Return the bearer's legal moves."""
    return await context.service.legal_moves(table, token)


async def play(context: AppContext, *, table: str, body: messages.PlayMove, caller: Caller) -> TableReply:
    """Make a move."""
    return await context.service.play(table, caller, body.move)


async def check(context: AppContext, *, table: str, body: messages.CheckMove, token: str) -> messages.Verdict:
    """Return whether a move, or a selection, is legal now, and if not, why."""
    return await context.service.check(table, token, body)


async def say(
    context: AppContext, *, table: str, seat: int, body: messages.MakeRemark, token: str
) -> messages.SaidRemark:
    """Say something from one's seat."""
    return await context.service.say(table, token, seat, body.remark)


async def hint(
    context: AppContext, *, table: str, token: str, language: Language, words: bool, client: str
) -> messages.Hint:
    """Return what `hard` would play in the bearer's seat."""
    with context.limits.thought(client):
        return await context.service.hint(table, token, language, client, words=words)


# --- routes

ROUTES: tuple[Route, ...] = (
    Route(
        operation_id="open_table",
        waits=True,
        method="POST",
        path="/v1/tables",
        handler=open_table,
        summary="Open a table",
        group=TABLES,
        details="Who opens a table is its host, on seat 0. The token in the answer is shown this once.",
        body=messages.OpenTable,
        response=messages.Seated,
        status=201,
        creates_token=True,
        writes=True,
        versioned=True,
        own_problems=("impossible", "name_blocked"),
        api_key=True,
        limit="tables",
        location=opened_at,
        worded=True,
    ),
    Route(
        operation_id="look",
        method="GET",
        path=TABLE_PATH,
        handler=look,
        summary="The table as the bearer may see it",
        group=WATCH,
        details=(
            "Without a token, as a spectator does. With `after` and `wait`, the answer comes as soon as the table is "
            "newer than that version, or once the time is up."
        ),
        response=messages.Table,
        query=LookQuery,
        waits=True,
        bearer="optional",
        versioned=True,
        worded=True,
    ),
    Route(
        operation_id="change",
        waits=True,
        method="PATCH",
        path=TABLE_PATH,
        handler=change,
        summary="Change an open table",
        group=TABLES,
        details="Host only. What is left out stays as it is.",
        body=messages.ChangeTable,
        response=messages.Table,
        bearer="required",
        writes=True,
        versioned=True,
        own_problems=("impossible", "not_host", "not_open", "too_many_players"),
        worded=True,
    ),
    Route(
        operation_id="sit",
        method="POST",
        path=f"{TABLE_PATH}/seats",
        handler=sit,
        summary="Sit down, or seat a computer player",
        group=TABLES,
        details=(
            "A computer player is seated with the host's token. A person's token is shown this once. After a match, a "
            "person sits down for the next one."
        ),
        body=messages.SitDown,
        response=messages.Seated,
        status=201,
        creates_token=True,
        bearer="optional",
        writes=True,
        versioned=True,
        own_problems=(
            "impossible",
            "name_blocked",
            "name_taken",
            "not_host",
            "not_open",
            "table_full",
        ),
        limit="seats",
        worded=True,
    ),
    Route(
        operation_id="leave",
        method="DELETE",
        path=SEAT_PATH,
        handler=leave,
        summary="Leave a seat, or remove somebody as the host",
        group=TABLES,
        details="Those behind move up while the table is open; once cards are dealt a computer player takes the hand.",
        response=messages.Table,
        bearer="required",
        writes=True,
        versioned=True,
        own_problems=("not_host", "not_your_seat", "already_computer"),
        worded=True,
    ),
    Route(
        operation_id="set_level",
        method="PATCH",
        path=SEAT_PATH,
        handler=set_level,
        summary="Set the level of a computer player",
        group=TABLES,
        details="Host only, while the table is open.",
        body=messages.SetLevel,
        response=messages.Table,
        bearer="required",
        writes=True,
        versioned=True,
        own_problems=("impossible", "not_host", "not_open", "not_computer"),
        worded=True,
    ),
    Route(
        operation_id="set_name",
        method="PUT",
        path=f"{SEAT_PATH}/name",
        handler=set_name,
        summary="Give a seat another name",
        group=TABLES,
        details=(
            "One's own, or as the host a computer player's, whatever the table's status. The table keeps no earlier "
            "name: whoever resumes its events from before gets a `gap`."
        ),
        body=messages.SetName,
        response=messages.Table,
        bearer="required",
        writes=True,
        versioned=True,
        own_problems=("name_blocked", "name_taken", "not_host", "not_computer"),
        worded=True,
    ),
    Route(
        operation_id="give_seed",
        method="PUT",
        path=f"{SEAT_PATH}/seed",
        handler=give_seed,
        summary="Give one's own share in the coming match's shuffle",
        group=TABLES,
        body=messages.GiveSeed,
        response=messages.Table,
        bearer="required",
        writes=True,
        versioned=True,
        details="It is for one match: each match takes fresh seeds, and a seat that gives none has an empty one.",
        own_problems=("not_your_seat", "already_playing", "seed_used"),
        worded=True,
    ),
    Route(
        operation_id="come_back",
        method="POST",
        path=f"{SEAT_PATH}/return",
        handler=come_back,
        summary="Take one's hand back from a computer player",
        group=PLAY,
        response=messages.Table,
        bearer="required",
        writes=True,
        versioned=True,
        own_problems=("not_your_seat", "not_away"),
        worded=True,
    ),
    Route(
        operation_id="start",
        method="POST",
        path=f"{TABLE_PATH}/start",
        handler=start,
        summary="Start the match, or the rematch once it is over",
        group=PLAY,
        details="Host only. A rematch begins at once, with everybody who has not said that they stop.",
        response=messages.Table,
        bearer="required",
        writes=True,
        versioned=True,
        own_problems=("not_host", "already_playing", "too_few_players"),
        worded=True,
    ),
    Route(
        operation_id="answer_rematch",
        method="PUT",
        path=f"{SEAT_PATH}/rematch",
        handler=answer_rematch,
        summary="Say whether one stays for another match",
        group=PLAY,
        details=(
            "Once a match is over. The next one begins when every person has answered, or a minute after the first "
            "answer of one who stays, with those who do; the others have no seat then. Until it begins, an answer may "
            "be changed. Computer players always stay. If too few stay, computer players take the seats of those who "
            "do not, or with `fill_seats` false the table waits for newcomers, who sit down as at an open table. "
            "Unless the same players go on, the first dealer is drawn, and nobody owes anything from the match before."
        ),
        body=messages.AnswerRematch,
        response=messages.Table,
        bearer="required",
        writes=True,
        versioned=True,
        own_problems=("not_your_seat", "match_not_over", "table_full", "seed_used"),
        worded=True,
    ),
    Route(
        operation_id="table_moves",
        method="GET",
        path=f"{TABLE_PATH}/moves",
        handler=moves,
        summary="The bearer's legal moves now",
        group=PLAY,
        details=EQUAL_MOVES,
        response=messages.LegalMoves,
        bearer="required",
        worded=True,
    ),
    Route(
        operation_id="play",
        method="POST",
        path=f"{TABLE_PATH}/moves",
        handler=play,
        summary="Play a move",
        group=PLAY,
        body=messages.PlayMove,
        response=messages.Moved,
        bearer="required",
        writes=True,
        versioned=True,
        own_problems=("impossible", "not_playing", "not_your_turn", "deal_over", *REFUSAL_TYPES),
        worded=True,
    ),
    Route(
        operation_id="table_check",
        method="POST",
        path=f"{TABLE_PATH}/moves/check",
        handler=check,
        summary="Is a move, or a selection, legal now, and if not, why",
        group=PLAY,
        details=f"Changes nothing. {SELECTIONS}",
        body=messages.CheckMove,
        response=messages.Verdict,
        bearer="required",
        own_problems=("impossible",),
        worded=True,
    ),
    Route(
        operation_id="say",
        method="POST",
        path=f"{SEAT_PATH}/remarks",
        handler=say,
        summary="Say something from one's seat",
        group=PLAY,
        details=(
            "One of a few fixed remarks. It goes to the streams that ask for `remarks`; the table and its version do "
            "not change, and nothing of it is kept. Then the seat may say nothing else for 5 seconds; the same remark "
            "again in that time is the first one, sent twice."
        ),
        body=messages.MakeRemark,
        response=messages.SaidRemark,
        bearer="required",
        own_problems=("not_your_seat",),
        worded=True,
    ),
    Route(
        operation_id="hint",
        method="POST",
        path=f"{TABLE_PATH}/hint",
        handler=hint,
        summary="What the computer player of level hard would play in the bearer's seat, and why",
        group=PLAY,
        details="Where the table's `hints` is true, and the bearer is on turn. Changes nothing.",
        response=messages.Hint,
        bearer="required",
        localized=True,
        waits=True,
        own_problems=("hints_off", "not_playing", "not_your_turn"),
        worded=True,
    ),
)
