"""Tables for the rounds of a tournament: a stateless call."""

import asyncio

from locanda import messages
from locanda.pairings import by_standing, plan, repetitions, table_sizes
from services.engine.http.api.route import RULES, Route
from services.engine.http.server.context import AppContext
from services.engine.service.validation import ImpossibleError


async def rounds(context: AppContext, *, body: messages.RoundsRequest, client: str) -> messages.RoundsAnswer:
    """Plan rounds in a thread: it takes up to a second."""
    _demand_sense(body)
    sizes = table_sizes(len(body.people), body.fewest, body.most, body.wanted)
    before = [tuple(map(tuple, tables)) for tables in body.played]
    if body.standing:
        planned = [by_standing(body.standing, sizes)]
    else:
        with context.limits.thought(client):
            planned = await asyncio.to_thread(plan, body.people, sizes, body.rounds, before, body.seed)
    answer = [[list(table) for table in tables] for tables in planned]
    return messages.RoundsAnswer(answer, repetitions([*before, *planned]))


def _demand_sense(body: messages.RoundsRequest) -> None:
    """Refuse people who are listed twice, tables that nobody can sit at, and a standing of other people."""
    if len({*body.people}) < len(body.people):
        raise ImpossibleError("people", "somebody is listed twice")
    if body.fewest > body.most:
        raise ImpossibleError("fewest", f"no table has more than {body.most} people")
    if body.standing and sorted(body.standing) != sorted(body.people):
        raise ImpossibleError("standing", "it must name everybody of `people` once, and nobody else")


ROUTES: tuple[Route, ...] = (
    Route(
        operation_id="rounds",
        method="POST",
        path="/v1/rounds",
        handler=rounds,
        summary="Tables for the rounds of a tournament",
        group=RULES,
        details=(
            "Nothing is stored. People sit at tables of nearly one size, in rounds in which nobody meets anybody again "
            "as far as a local search of a second or two finds: sixteen people play five rounds at tables of four so. "
            "Seats, and places at smaller tables, go round. When somebody drops out, ask again with those who are "
            "left and the rounds that were played; for a last round by standing, give the standing."
        ),
        body=messages.RoundsRequest,
        response=messages.RoundsAnswer,
        waits=True,
        own_problems=("impossible",),
    ),
)
