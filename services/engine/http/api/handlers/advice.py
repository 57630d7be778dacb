"""Handlers of the calls that ask computer players: what they would play, and why."""

from msgspec import UNSET

from locanda import messages
from locanda.messages import Language
from services.engine.games.base import AnyGame
from services.engine.http.api.handlers.tables import MatchQuery
from services.engine.http.server.context import AppContext


async def suggest(
    context: AppContext, *, game: AnyGame, body: messages.SuggestRequest, language: Language, client: str
) -> messages.Suggestion:
    """Return a computer player's move in a view."""
    with context.limits.thought(client):
        return await context.service.suggest(game, body, language)


async def hint(context: AppContext, *, table: str, token: str, language: Language, client: str) -> messages.Hint:
    """Return what `hard` would play in the bearer's seat."""
    with context.limits.thought(client):
        return await context.service.hint(table, token, language)


async def review(
    context: AppContext, *, table: str, deal: int, token: str, query: MatchQuery, language: Language, client: str
) -> messages.Review:
    """Return the bearer's moves of a finished deal beside those of `hard`."""
    match = None if query.match is UNSET else query.match
    with context.limits.thought(client):
        return await context.service.review(table, token, deal, match, language)
