"""Handlers of the calls that ask computer players: what they would play, and why."""

from locanda import messages
from locanda.messages import Language
from services.engine.games.base import AnyGame
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
