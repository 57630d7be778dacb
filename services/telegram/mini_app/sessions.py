"""The Mini App's first call: returns the person's seat and token.

The bot serves it because only the bot has its token at Telegram and knows who sits where. A person without a seat gets
no token, and the page shows them what a spectator sees.
"""

from msgspec import Struct

from locanda.names import clean_name
from locanda.translations import Language, nearest_language
from services.telegram.handlers.context import BotContext, remember_person
from services.telegram.mini_app.requests import AppRequest, Caller
from services.telegram.records import ChatTable, PersonRecord
from services.telegram.tables.seating import was_emptied
from services.telegram.updates import TelegramUser


class SessionRequest(AppRequest, frozen=True, kw_only=True):
    """The body of the call."""

    sit: bool = False
    """Whether to sit down first."""


class Session(Struct, frozen=True):
    """The answer: where the person is."""

    table: str | None
    """The engine's id of the table; null until somebody sits there."""
    game: str
    token: str | None
    """The token of the person's seat; null for a spectator."""
    name: str
    language: Language
    may_sit: bool
    """Whether the person can sit down now, under their name in Telegram."""
    group: bool
    """Whether the table is a group's, which has leaderboards."""


async def open_session(context: BotContext, caller: Caller, wanted: SessionRequest) -> Session:
    """Return the session of a person, seated first if they want. Raises `ActionRefusedError` and `EngineError`."""
    chat_table, user = caller.chat_table, caller.user
    token = await context.repositories.seats.token(caller.ref, user.id)
    if wanted.sit and token is None:
        chat_table, token = await _sit(context, chat_table, user)
    person = await _person(context, user)
    table = await context.tables.lookup.public_view(chat_table)
    if table is not None and was_emptied(table):
        table = None
    return Session(
        table=None if table is None else table.id,
        game=chat_table.game,
        token=token,
        name=person.name,
        language=person.language,
        may_sit=token is None and not chat_table.alone and (table is None or table.status == "open"),
        group=not chat_table.alone,
    )


async def _person(context: BotContext, user: TelegramUser) -> PersonRecord:
    """Return a person as the bot knows them; nothing is stored of somebody who only watches."""
    known = await context.repositories.people.person(user.id)
    return known or PersonRecord(user.id, clean_name(user.first_name), nearest_language(user.language_code))


async def _sit(context: BotContext, chat_table: ChatTable, user: TelegramUser) -> tuple[ChatTable, str | None]:
    """Seat a person of the table's group. Raises `ActionRefusedError` and `EngineError`."""
    await context.members.require(chat_table, user.id)
    repositories = context.repositories
    person = await remember_person(repositories.people, user, private=False)
    seated = await context.tables.seating.sit(chat_table.ref, person)
    await context.followers.refresh(chat_table.ref)
    return seated, await repositories.seats.token(chat_table.ref, user.id)
