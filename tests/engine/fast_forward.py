"""Plays deals in one step, for tests of later stages."""

from collections.abc import Callable

from msgspec import structs

from services.engine.service.assembly import Service
from services.engine.table import fairness, playing
from services.engine.table.state import AnyTable, LogEntry, Transition, TransitionContext, game_of, turn_of


async def fast_forward(service: Service, table: str, enough: Callable[[AnyTable], bool] = lambda _: False) -> AnyTable:
    """Play the first legal move on every turn until the table is as wanted or the match is over. Return the table.

    All moves of a deal are one change of the table, which has only the events of the last move.
    """
    reached = list[AnyTable]()

    async def decide(before: AnyTable) -> Transition | None:
        transition = _rest_of_deal(before, service.time.at(), enough)
        if transition is None:
            reached.append(before)
        return transition

    while not reached:
        await service.transactions.act(table, decide)
    return reached[0]


def one_move_ends_deal(table: AnyTable) -> bool:
    """Return whether a move of the seat on turn ends the deal."""
    game = game_of(table)
    return any(game.play(table.deal, move, fairness.shuffle)[0].turn is None for move in game.moves(table.deal))


def _rest_of_deal(
    before: AnyTable, context: TransitionContext, enough: Callable[[AnyTable], bool]
) -> Transition | None:
    table, log = before, list[LogEntry]()
    while table.status == "playing" and table.match.deal == before.match.deal and not enough(table):
        step = _first_move(table, context)
        table = step.table
        log += step.log
    return Transition(structs.replace(table, version=before.version + 1), tuple(log)) if log else None


def _first_move(table: AnyTable, context: TransitionContext) -> Transition:
    seat = turn_of(table)
    assert seat is not None
    move = game_of(table).moves(table.deal)[0]
    if not table.seats[seat].automatic:
        return playing.play(table, seat, move, context)
    due = structs.replace(context, now=max(context.now, table.wake or 0))
    step = playing.wake(table, due, lambda *_: move)
    assert step is not None
    return step
