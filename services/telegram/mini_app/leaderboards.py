"""The Mini App's call for the leaderboard of a table's group and game, as the bot's own screen has it."""

from msgspec import Struct

from locanda.translations import Translations, translations_in
from services.telegram.callback_data import LeaderboardOrder
from services.telegram.handlers.context import BotContext
from services.telegram.mini_app.requests import AppRequest, Caller
from services.telegram.records import Standing
from services.telegram.screens.games import game_name
from services.telegram.screens.leaderboard import nobody_yet, order_names, ranked, rating_explained, results_of
from services.telegram.tables.lookup import ActionRefusedError


class LeaderboardRequest(AppRequest, frozen=True, kw_only=True):
    """The body of the call."""

    by: LeaderboardOrder = "wins"
    """What decides the ranks."""


class RatingOnLeaderboard(Struct, frozen=True):
    """A rating, as the page shows it."""

    points: int
    provisional: bool


class LeaderboardRow(Struct, frozen=True):
    """A person on a leaderboard."""

    rank: int
    """From 1."""
    name: str
    matches: int
    wins: int
    rating: RatingOnLeaderboard | None
    """Null for a person who has finished no match that counts for it."""
    text: str
    """Rating, wins and matches in words."""


class Leaderboard(Struct, frozen=True):
    """The answer: the leaderboard, best first."""

    game: str
    """The game's name in words."""
    by: LeaderboardOrder
    orders: dict[LeaderboardOrder, str]
    """The orders to choose from, in words; none where nobody is rated."""
    rows: list[LeaderboardRow]
    note: str
    """What the ratings mean, or that nobody has finished a match yet."""


async def group_leaderboard(context: BotContext, caller: Caller, wanted: LeaderboardRequest) -> Leaderboard:
    """Return the leaderboard of a table's group, for its people and for those who sit at the table.

    Raises `ActionRefusedError` for anybody else, and where the table is no group's.
    """
    chat_table = caller.chat_table
    if chat_table.alone or await context.repositories.seats.token(caller.ref, caller.user.id) is None:
        await context.members.require(chat_table, caller.user.id)
    game = await context.catalogue.game(chat_table.game)
    if game is None:
        raise ActionRefusedError("no_table")
    rows = ranked(await context.repositories.leaderboards.standings(chat_table.chat, game.game), wanted.by)
    translations = translations_in(caller.language)
    is_rated = any(each.rating.matches for each in rows)
    return Leaderboard(
        game=game_name(game, caller.language),
        by=wanted.by,
        orders=order_names(translations) if is_rated else {},
        rows=[_row(rank, each, translations) for rank, each in enumerate(rows, start=1)],
        note=rating_explained(translations) if is_rated else "" if rows else nobody_yet(translations),
    )


def _row(rank: int, standing: Standing, translations: Translations) -> LeaderboardRow:
    rating = standing.rating
    shown = RatingOnLeaderboard(rating.points, rating.provisional) if rating.matches else None
    text = results_of(standing, translations)
    return LeaderboardRow(rank, standing.name, standing.matches, standing.wins, shown, text)
