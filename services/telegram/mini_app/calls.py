"""The Mini App's calls: a person's session at a table, the group's leaderboard, the vote to close the table.

The bot serves them because only it has the Telegram token, and knows who sits where and who is in the group.
"""

from msgspec import Struct

from locanda.translations import Language, Translations, nearest_language, translations_in
from services.common.names import clean_name
from services.telegram.callback_data import LeaderboardOrder
from services.telegram.handlers.closing import vote
from services.telegram.handlers.context import BotContext, remember_person
from services.telegram.mini_app.requests import AppCaller, AppRequest
from services.telegram.play.closing import ClosingOutcome
from services.telegram.records import ChatTable, PersonRecord, Standing
from services.telegram.screens.games import game_name
from services.telegram.screens.leaderboard import nobody_yet, order_names, ranked, rating_explained, results_of
from services.telegram.screens.notices import closing_answers, closing_text, outcome_text, who_decides
from services.telegram.tables.lookup import ActionRefusedError
from services.telegram.tables.seating import was_emptied
from services.telegram.updates import TelegramUser

# --- the session: a person without a seat gets no token, so the page shows them the spectators' view


class SessionRequest(AppRequest, frozen=True, kw_only=True):
    """Body of the session call."""

    sit: bool = False
    """Whether to take a seat first."""


class AppSession(Struct, frozen=True):
    """Answer of the session call: the person's table and seat."""

    table: str | None
    """The id of the engine's table; null until the first person sits there."""
    game: str
    token: str | None
    """The token of the person's seat; null for a spectator."""
    name: str
    language: Language
    may_sit: bool
    """Whether the person can take a seat now, under their Telegram name."""
    group: bool
    """Whether the table belongs to a group, which has a leaderboard."""
    link: str
    """Link that opens the app at the table, for the group's people; empty for a table in a private chat."""


async def open_session(context: BotContext, caller: AppCaller, wanted: SessionRequest) -> AppSession:
    """Return a person's session; seat them first if they ask. Raises `ActionRefusedError` and `EngineError`."""
    chat_table, user = caller.chat_table, caller.user
    token = await context.repositories.seats.token(caller.ref, user.id)
    if wanted.sit and token is None:
        chat_table, token = await _sit(context, chat_table, user)
    person = await _person(context, user)
    table = await context.tables.lookup.public_view(chat_table)
    if table is not None and was_emptied(table):
        table = None
    return AppSession(
        table=None if table is None else table.id,
        game=chat_table.game,
        token=token,
        name=person.name,
        language=person.language,
        may_sit=token is None and not chat_table.alone and (table is None or table.status == "open"),
        group=not chat_table.alone,
        link="" if chat_table.alone else context.links.in_group(chat_table.ref),
    )


async def _person(context: BotContext, user: TelegramUser) -> PersonRecord:
    """Return the record of a person. A new record is not stored, because the person may only watch."""
    known = await context.repositories.people.person(user.id)
    return known or PersonRecord(user.id, clean_name(user.first_name), nearest_language(user.language_code))


async def _sit(context: BotContext, chat_table: ChatTable, user: TelegramUser) -> tuple[ChatTable, str | None]:
    """Seat a person of the table's group. Raises `ActionRefusedError` and `EngineError`."""
    await context.members.require(chat_table, user.id)
    repositories = context.repositories
    person = await remember_person(repositories.people, user, private=False)
    seated = await context.tables.seating.sit(chat_table.ref, person)
    return seated, await repositories.seats.token(chat_table.ref, user.id)


# --- the leaderboard, the same as in the chat


class LeaderboardRequest(AppRequest, frozen=True, kw_only=True):
    """Body of the leaderboard call."""

    by: LeaderboardOrder = "wins"
    """The sort order."""


class RatingOnLeaderboard(Struct, frozen=True):
    """A rating on the page's leaderboard."""

    points: int
    provisional: bool


class LeaderboardRow(Struct, frozen=True):
    """A person on a leaderboard."""

    rank: int
    """The place, counted from 1."""
    name: str
    matches: int
    wins: int
    rating: RatingOnLeaderboard | None
    """Null for a person without a rated match."""
    text: str
    """Rating, wins and matches in words."""


class Leaderboard(Struct, frozen=True):
    """Answer of the leaderboard call."""

    game: str
    """The game's name in words."""
    by: LeaderboardOrder
    orders: dict[LeaderboardOrder, str]
    """Labels of the sort orders; empty if nobody has a rating."""
    rows: list[LeaderboardRow]
    """The people, best first."""
    note: str
    """Explains the ratings, or says that nobody has finished a match yet."""


async def group_leaderboard(context: BotContext, caller: AppCaller, wanted: LeaderboardRequest) -> Leaderboard:
    """Return the leaderboard of the group of a table, for its members and the people at the table."""
    chat_table = caller.chat_table
    if chat_table.alone or await context.repositories.seats.token(caller.ref, caller.user.id) is None:
        await context.members.require(chat_table, caller.user.id)
    game = await context.catalogue.known(chat_table.game)
    rows = ranked(await context.repositories.leaderboards.standings(chat_table.chat, game.game), wanted.by)
    translations = translations_in(caller.language)
    is_rated = any(row.rating.matches for row in rows)
    return Leaderboard(
        game=game_name(game, caller.language),
        by=wanted.by,
        orders=order_names(translations) if is_rated else {},
        rows=[_row(rank, row, translations) for rank, row in enumerate(rows, start=1)],
        note=rating_explained(translations) if is_rated else "" if rows else nobody_yet(translations),
    )


def _row(rank: int, standing: Standing, translations: Translations) -> LeaderboardRow:
    rating = standing.rating
    shown = RatingOnLeaderboard(rating.points, rating.provisional) if rating.matches else None
    text = results_of(standing, translations)
    return LeaderboardRow(rank, standing.name, standing.matches, standing.wins, shown, text)


# --- the vote on closing a group's table during a match, shared with the chat


class ClosingRequest(AppRequest, frozen=True, kw_only=True):
    """Body of the closing call."""

    agree: bool | None = None
    """The person's vote: true to close the table, false against it, null to only read the ballot."""


class ClosingBallot(Struct, frozen=True):
    """Answer of the closing call: the state of the vote, and its texts."""

    outcome: ClosingOutcome
    agree: list[str]
    """Names of the people who have voted to close the table."""
    needed: int
    """Number of votes that close the table."""
    text: str
    """The question, or the outcome."""
    rule: str
    """Explains who may vote."""
    yes: str
    no: str
    oppose: list[str] = []
    """Always empty, because one vote against ends the question. Pages of earlier releases expect the field."""


async def vote_on_closing(context: BotContext, caller: AppCaller, wanted: ClosingRequest) -> ClosingBallot:
    """Count a vote, if any, and return the ballot, which the question in the chat shows too."""
    chat_table, user = caller.chat_table, caller.user.id
    if chat_table.alone:
        raise ActionRefusedError("no_table")
    await context.require_host(chat_table.chat, user)
    table = await context.tables.lookup.public_view(chat_table)
    if table is None or table.status != "playing":
        raise ActionRefusedError("not_playing")
    question = await vote(context, chat_table, table, user, agree=wanted.agree)
    translations = translations_in(caller.language)
    yes, no = closing_answers(translations)
    return ClosingBallot(
        outcome=question.outcome,
        agree=question.agree,
        needed=question.needed,
        text=outcome_text(question.outcome, translations) or closing_text(question.letter, translations),
        rule=who_decides(question, translations),
        yes=yes,
        no=no,
    )
