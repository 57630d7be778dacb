"""Calls to play at a table: start a match, move, list legal moves, answer a rematch, make a remark."""

from msgspec import Raw

from locanda import messages
from locanda.messages import Language
from services.engine.http.api.declaring import Calls
from services.engine.http.api.handlers.games import EQUAL_MOVES, SELECTIONS
from services.engine.http.api.handlers.tables import require_own
from services.engine.http.api.route import PLAY, SEAT_PATH, TABLE_PATH, ClientCall
from services.engine.http.api.writing import Write
from services.engine.http.problems.types import REFUSAL_TYPES
from services.engine.http.server.context import AppContext
from services.engine.service.accounts import Group
from services.engine.service.checking import checked
from services.engine.service.validation import read_move
from services.engine.service.views import EncodedViews
from services.engine.table import playing, rematch
from services.engine.table.state import AnyTable, Transition, game_of, turn_of
from services.engine.table.view import moves

calls = Calls()


@calls.write(
    PLAY,
    "POST",
    f"{TABLE_PATH}/start",
    compared="seats",
    problems=("not_host", "already_playing", "too_few_players", "match_not_over"),
)
def start(call: Write[None], table: AnyTable, by: int) -> Transition:
    """Start the match, or stay for another match after it.

    Host only. After a match, this call says that the host stays. The next match begins when every person has answered,
    or a minute later with those who stay.
    """
    return playing.start(table, by, call.now())


@calls.write(
    PLAY,
    "PUT",
    f"{SEAT_PATH}/rematch",
    problems=("not_your_seat", "match_not_over", "table_full", "seed_used"),
)
def answer_rematch(call: Write[messages.AnswerRematch], table: AnyTable, by: int, seat: int) -> Transition:
    """Say whether you stay for another match.

    This is possible only after a match. The next match begins when every person has answered, or a minute after the
    first person stays, with those who stay; the others lose their seats. Until the match begins, an answer can be
    changed. Computer players always stay. If too few people stay, computer players take the other seats or, with
    `fill_seats` false, the table waits for newcomers. If the players change, the first dealer is drawn, and the last
    match has no effect on the next.
    """
    require_own(by, seat)
    return rematch.answer(table, seat, stay=call.body.stays, client_seed=call.body.client_seed, context=call.now())


@calls.read(PLAY, f"{TABLE_PATH}/moves", notes=EQUAL_MOVES, client=ClientCall("moves"))
async def table_moves(context: AppContext, *, table: str, token: str) -> messages.LegalMoves:
    """List the legal moves of the token's seat."""
    state, seat = await context.service.queries.seated(table, token)
    return messages.LegalMoves(turn_of(state), moves(state, seat))


def _moved(_: Write[messages.PlayMove], views: EncodedViews, seat: int | None) -> messages.Moved:
    return messages.Moved(Raw(views.of(seat)), list(views.table.events))  # type: ignore[arg-type]  # encoded already


@calls.write(
    PLAY,
    "POST",
    f"{TABLE_PATH}/moves",
    answer=_moved,
    compared="cards",
    problems=("impossible", "not_playing", "not_your_turn", "deal_over", "hand_given_up", *REFUSAL_TYPES),
    client=None,
)
def play(call: Write[messages.PlayMove], table: AnyTable, by: int) -> Transition:
    """Play a move."""
    return playing.play(table, by, read_move(game_of(table), call.body.move), call.now())


@calls.call(
    PLAY,
    "POST",
    f"{TABLE_PATH}/moves/check",
    notes=f"Changes nothing. {SELECTIONS}",
    problems=("impossible",),
    client=None,
)
async def table_check(context: AppContext, *, table: str, body: messages.CheckMove, token: str) -> messages.Verdict:
    """Check whether a move or selection is legal now, and why not."""
    state, seat = await context.service.queries.seated(table, token)
    return checked(game_of(state), body, lambda move: playing.check(state, seat, move))


@calls.call(PLAY, "POST", f"{SEAT_PATH}/remarks", problems=("not_your_seat",), client=None)
async def say(
    context: AppContext, *, table: str, seat: int, body: messages.MakeRemark, token: str
) -> messages.SaidRemark:
    """Make a remark from your seat.

    There are a few fixed remarks to choose from. The remark is sent to streams that ask for `remarks`. The table and
    its version do not change, and nothing is stored. A seat can make one remark in 5 seconds; repeating the same remark
    in that time does nothing.
    """
    state, by = await context.service.queries.seated(table, token)
    require_own(by, seat)
    return await context.service.remarks.say(state, seat, body.remark)


@calls.question(PLAY, "POST", f"{TABLE_PATH}/hint", problems=("hints_off", "not_playing", "not_your_turn"))
async def hint(
    context: AppContext, *, table: str, token: str, language: Language, words: bool, account: Group
) -> messages.Hint:
    """Get a hint: the move of level `hard` for the token's seat, with its reason.

    The table's `hints` must be true, and the seat must be on turn. The call changes nothing.
    """
    state, seat = await context.service.queries.seated(table, token)
    return await context.service.advisor.hint(state, seat, language, account, words=words)
