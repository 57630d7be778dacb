"""Stateless call that seats people at tables for the rounds of a tournament."""

from locanda import messages
from services.engine.http.api.declaring import Calls
from services.engine.http.api.route import RULES
from services.engine.http.server.context import AppContext
from services.engine.service.accounts import Group
from services.engine.service.validation import ImpossibleError

calls = Calls()


def _demand_sense(body: messages.RoundsRequest) -> None:
    """Raise `ImpossibleError` if a person is repeated, `fewest` is above `most`, or the standing has other people."""
    if len({*body.people}) < len(body.people):
        raise ImpossibleError("people", "somebody is listed twice")
    if body.fewest > body.most:
        raise ImpossibleError("fewest", f"no table has more than {body.most} people")
    if body.standing and sorted(body.standing) != sorted(body.people):
        raise ImpossibleError("standing", "it must contain each of `people` once, and nobody else")


@calls.question(RULES, "POST", "/v1/rounds", first=_demand_sense, problems=("impossible", "no_thought"))
async def rounds(context: AppContext, *, body: messages.RoundsRequest, account: Group) -> messages.RoundsAnswer:
    """Plan tables for the rounds of a tournament.

    Nothing is stored. Tables have nearly the same size. A local search of at most a second avoids repeated meetings:
    sixteen people can play five rounds at tables of four without any. The order of seats, and places at smaller tables,
    rotate. If somebody drops out, ask again with the remaining people and the rounds already played. For a last round
    by standing, send the standing.
    """
    return await context.service.advisor.plan_rounds(body, account)
