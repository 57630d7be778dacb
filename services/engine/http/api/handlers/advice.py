"""Handlers of the calls that ask computer players: what they would play, and why."""

from msgspec import UNSET
from msgspec.structs import replace

from locanda import messages
from locanda.messages import Language
from locanda.texts.words import move_label
from services.engine.games.base import AnyGame
from services.engine.http.api.handlers.tables import MatchQuery
from services.engine.http.server.context import AppContext


async def suggest(
    context: AppContext, *, game: AnyGame, body: messages.SuggestRequest, language: Language, words: bool, client: str
) -> messages.Suggestion:
    """Return a computer player's move in a view."""
    with context.limits.thought(client):
        found = await context.service.suggest(game, body, language)
    return replace(found, text=move_label(game.name, found.move, body.view, language)) if words else found


async def hint(
    context: AppContext, *, table: str, token: str, language: Language, words: bool, client: str
) -> messages.Hint:
    """Return what `hard` would play in the bearer's seat."""
    with context.limits.thought(client):
        return await context.service.hint(table, token, language, words=words)


async def review(  # noqa: PLR0913  (what its route declares)
    context: AppContext,
    *,
    table: str,
    deal: int,
    token: str,
    query: MatchQuery,
    language: Language,
    words: bool,
    client: str,
) -> messages.Review:
    """Return the bearer's moves of a finished deal beside those of `hard`."""
    match = None if query.match is UNSET else query.match
    with context.limits.thought(client):
        return await context.service.review(table, token, deal, match, language, words=words)
