"""The catalogue of games, and the stateless calls, which apply the rules to a deal in the request and store nothing."""

from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct
from msgspec.structs import replace

from locanda import messages
from locanda.games.game import AnyGame, MalformedDealError
from locanda.messages import GivenMove, Language
from locanda.texts.remarks import all_remarks
from locanda.texts.words import move_label
from locanda.translations import translations_in
from services.engine import catalogue, lessons
from services.engine.errors import ProblemError
from services.engine.http.api.declaring import Calls
from services.engine.http.api.route import GAME_PATH, GAMES, RULES, ClientCall
from services.engine.http.problems.types import REFUSAL_TYPES
from services.engine.http.server.context import AppContext
from services.engine.service import tokens
from services.engine.service.accounts import Group
from services.engine.service.checking import checked
from services.engine.service.playing_out import ANSWER_BYTES, WORK_SECONDS, WrongPart
from services.engine.service.validation import ImpossibleError, ValidationError, read_move, read_options
from services.engine.table import fairness
from services.engine.table.state import MoveRefusedError

EQUAL_MOVES = (
    "Each distinct choice is listed once, in a fixed order. If several moves are equal, one is listed, as the game's "
    "`Move` says; the others are legal too."
)
SELECTIONS = (
    "Send a move, which may be equal to a listed one or incomplete; or send selected cards, from which the engine "
    "makes the moves that they can mean. `meant` is the legal one, or the first one that is refused."
)
LESSONS = (
    "A lesson is a prepared deal with a sentence for each idea. A client shows `start` like a table, with the `text` "
    "of the first step. When the learner has made the step's `move`, it shows the moments of `then` one by one, and "
    "continues with the next step until `end`. For another move, it shows `allowed`, or why "
    "`POST /v1/games/{game}/check` refuses it in the moment's `deal`. Nothing is stored, and nobody has a seat."
)


calls = Calls()

Info = TypeVar("Info", bound=messages.GameInfo)
FURTHEST = 999_000
"""Largest count in a deal that a client sends, so that its counts are still valid after the next move."""


@calls.kept(GAMES, "/v1/games", client=ClientCall(answer="games"))
async def games(context: AppContext) -> messages.Catalogue:
    """List the games."""
    return messages.Catalogue([_with_players(context, game) for game in catalogue.catalogue()])


@calls.kept(GAMES, GAME_PATH, client=None)
async def game(context: AppContext, *, game: AnyGame) -> messages.GameDetails:
    """Get a game with its rules."""
    return _with_players(context, catalogue.details(game.name))


def _with_players(context: AppContext, info: Info) -> Info:
    """Return a game with the computer players of this server, including those that the operator has added."""
    own_players = context.service.own_players
    return replace(info, levels=own_players.levels(info.game), own_players=own_players.from_people)


@calls.kept(GAMES, f"{GAME_PATH}/lesson", problems=("no_lesson",), notes=LESSONS)
async def lesson(_: AppContext, *, game: AnyGame, language: Language) -> messages.Lesson:
    """Get a game's lesson."""
    if not catalogue.details(game.name).lesson:
        raise ProblemError("no_lesson")
    return lessons.lesson(game.name, language)


@calls.kept(GAMES, "/v1/remarks")
async def remarks(_: AppContext, *, language: Language) -> messages.RemarkList:
    """List the remarks that people can make at a table."""
    return messages.RemarkList(all_remarks(translations_in(language)))


# --- the stateless calls


@calls.call(RULES, "POST", f"{GAME_PATH}/deals", problems=("impossible",), client=ClientCall("deal", answer="deal"))
async def deals(_: AppContext, *, game: AnyGame, body: messages.DealRequest) -> messages.DealBody:
    """Deal the cards.

    Nothing is stored. The same options, seats, dealer and seed always give the same deal.
    """
    options = read_options(game, body.options)
    _demand_seats(game, options, body)
    seed = tokens.new_secret() if body.seed is None else bytes.fromhex(body.seed)
    deal = game.deal(options, body.seats, body.dealer, seed, fairness.shuffle, None)
    return messages.DealBody(game.to_wire(deal))


@calls.call(
    RULES,
    "POST",
    f"{GAME_PATH}/moves",
    problems=("impossible",),
    notes=EQUAL_MOVES,
    client=ClientCall("moves_of", unpacks=("deal",)),
)
async def moves(_: AppContext, *, game: AnyGame, body: messages.DealBody) -> messages.LegalMoves:
    """List the legal moves in a deal."""
    deal = _read_deal(game, body.deal)
    return messages.LegalMoves(deal.turn, _listed(game, deal))


def _listed(game: AnyGame, deal: Any) -> list[GivenMove]:  # noqa: ANN401  (any game's)
    return [msgspec.to_builtins(move) for move in game.moves(deal)]


@calls.call(RULES, "POST", f"{GAME_PATH}/check", problems=("impossible",), notes=SELECTIONS, client=None)
async def check(_: AppContext, *, game: AnyGame, body: messages.CheckRequest) -> messages.Verdict:
    """Check whether a move or selection is legal in a deal, and why not."""
    deal = _read_deal(game, body.deal)
    return checked(game, body, lambda move: game.check(deal, move))


@calls.call(RULES, "POST", f"{GAME_PATH}/play", problems=("deal_over", "impossible", *REFUSAL_TYPES), client=None)
async def play(_: AppContext, *, game: AnyGame, body: messages.MoveRequest) -> messages.PlayAnswer:
    """Play a move in a deal."""
    deal, move = _read_deal(game, body.deal), read_move(game, body.move)
    refusal = game.check(deal, move)
    if refusal:
        raise MoveRefusedError(refusal)
    following_deal, events = game.play(deal, move, fairness.shuffle)
    happened = [msgspec.to_builtins(event) for event in events]
    following = _listed(game, following_deal) if body.moves is True else UNSET
    return messages.PlayAnswer(game.to_wire(following_deal), happened, game.result(following_deal), following)


@calls.call(
    RULES,
    "POST",
    f"{GAME_PATH}/view",
    problems=("impossible",),
    client=ClientCall("view_of", unpacks=("deal", "seat"), answer="view"),
)
async def view(_: AppContext, *, game: AnyGame, body: messages.ViewRequest) -> messages.ViewAnswer:
    """Get the view of a deal for a seat or a spectator."""
    deal = _read_deal(game, body.deal)
    if body.seat is not None and body.seat >= len(body.deal.hands):
        raise ImpossibleError("seat", f"the deal has {len(body.deal.hands)} seats, counted from 0")
    return messages.ViewAnswer(game.view(deal, body.seat))


@calls.question(RULES, "POST", f"{GAME_PATH}/suggest", problems=("impossible", "not_your_turn", "no_thought"))
async def suggest(
    context: AppContext,
    *,
    game: AnyGame,
    body: messages.SuggestRequest,
    language: Language,
    words: bool,
    account: Group,
) -> messages.Suggestion:
    """Get a computer player's move for a view, with its reason.

    The request has a view, never a deal; the seat of the view must be on turn. The player is better with `history`, the
    events since the cards were dealt. A budget applies to `hard` only: `iterations`, or `ms` of processor time; by
    default it is the engine's own. With a `seed` and `iterations` the answer is always the same, unless the search had
    to stop after two or three seconds.
    """
    advice = await context.service.advisor.suggest(game, body, language, account)
    return replace(advice, text=move_label(game.name, advice.move, body.view, language)) if words else advice


def _demand_starts(body: messages.PlayoutsRequest) -> None:
    """Raise `ValidationError` for a play-out with neither `deal` nor `start`, or with both."""
    for number, playout in enumerate(body.playouts):
        if (playout.deal is UNSET) == (playout.start is UNSET):
            raise ValidationError(f"playouts[{number}]", "exactly one of `deal` and `start` is required")
        if playout.deal is not UNSET:
            _demand_small_counts(playout.deal, f"playouts[{number}].deal")


@calls.question(
    RULES,
    "POST",
    f"{GAME_PATH}/playouts",
    first=_demand_starts,
    problems=("impossible", "no_thought"),
    notes=(
        "Many moves in one request, from posted or new deals. "
        f"It stops after {WORK_SECONDS:g} s of processor time, or {ANSWER_BYTES >> 20} MiB of response; "
        "`done` and `left` say what remains. It counts as a question to computer players. A move that the "
        "rules refuse ends only its own play-out, with the reason in `refusal`."
    ),
)
async def playouts(
    context: AppContext, *, game: AnyGame, body: messages.PlayoutsRequest, account: Group
) -> messages.PlayoutsAnswer:
    """Play many deals, or many moves of some."""
    result = await context.service.advisor.play_out(game, body, account)
    if isinstance(result, WrongPart):
        raise _wrong(game, body.playouts[result.playout], result)
    return messages.PlayoutsAnswer(Raw(result.playouts), result.left)  # type: ignore[arg-type]  # encoded there


def _wrong(game: AnyGame, playout: messages.Playout, wrong: WrongPart) -> ValidationError:
    """Return the error for the part of a play-out that a worker process could not decode, by decoding it again."""
    place = f"playouts[{wrong.playout}]"
    try:
        if wrong.part == "deal":
            _read_deal(game, playout.deal)
        elif wrong.part == "start" and playout.start is not UNSET:
            _demand_seats(game, read_options(game, playout.start.options), playout.start)
        elif wrong.part == "moves":
            read_move(game, playout.moves[wrong.move])
    except ValidationError as error:
        own = error.field.removeprefix("move") if wrong.part == "moves" else f".{error.field}"
        inside = {"deal": own, "start": f".start{own}", "moves": f".moves[{wrong.move}]{own}"}
        return type(error)(place + inside[wrong.part], error.detail)
    return ImpossibleError(place, "it cannot be played")


def _demand_seats(game: AnyGame, options: Struct, request: messages.DealRequest) -> None:
    """Raise `ImpossibleError` if the options do not allow this number of seats, or the dealer is not one of them."""
    admitted = game.seats(options)
    if request.seats not in admitted:
        raise ImpossibleError("seats", f"these options admit {min(admitted)} to {max(admitted)} players")
    if request.dealer >= request.seats:
        raise ImpossibleError("dealer", f"there are {request.seats} seats, counted from 0")


def _demand_small_counts(wire_deal: Any, place: str = "deal") -> None:  # noqa: ANN401  (any game's)
    """Raise `ImpossibleError` for a count above `FURTHEST`."""
    for name in wire_deal.__struct_fields__:
        value = getattr(wire_deal, name)
        for count in value if isinstance(value, tuple) else (value,):
            if isinstance(count, int) and count > FURTHEST:
                raise ImpossibleError(f"{place}.{name}", f"counts in a deal are at most {FURTHEST}")


def _read_deal(game: AnyGame, wire_deal: object) -> Any:  # noqa: ANN401  (each game has its own)
    """Return the state of a deal that the client has sent.

    Raises `ValidationError` or `ImpossibleError`, which name the field.
    """
    if not isinstance(wire_deal, game.wire_type):
        raise ValidationError("deal.game", f"the path names {game.name}")
    _demand_small_counts(wire_deal)
    try:
        return game.from_wire(wire_deal)
    except MalformedDealError as error:
        field, _, detail = str(error).partition(": ")
        raise ImpossibleError(f"deal.{field}", detail) from None
