"""The Mini App's call `POST /telegram/session`: verifies Telegram's launch data, returns the person's seat and token.

The bot serves it because only the bot has its token at Telegram and knows who sits where. A person without a seat gets
no token, and the page shows them what a spectator sees.
"""

import asyncio
import hmac
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Annotated
from urllib.parse import parse_qsl

import msgspec
import structlog
from aiohttp import web
from msgspec import Meta, Struct

from locanda.errors import EngineError, UnavailableError
from locanda.names import clean_name
from locanda.translations import Language, nearest_language
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.handlers.context import BotContext, remember_person
from services.telegram.presses import TelegramUser
from services.telegram.records import ChatTable, PersonRecord
from services.telegram.screens.notices import refusal_text
from services.telegram.tables.lookup import ActionRefusedError
from services.telegram.tables.seating import was_emptied
from services.telegram.webhook import SESSION_PATH

log = structlog.get_logger(__name__)

LONGEST = 8192
"""Bytes of launch data at most: Telegram's have some hundred."""
LONGEST_AGE = 24 * 3600
"""Seconds for which launch data are good: Telegram's desktop app uses them again when the app is reopened."""
CLOCK_SKEW = 300
"""Seconds by which Telegram's clock may be ahead of ours."""
LONGEST_BODY = 3 * LONGEST
"""Bytes: launch data are escaped in JSON."""
NO_STORE = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


# --- who has opened it: Telegram's signed launch data (Bot API, "Validating data received via the Mini App")


class InitDataError(Exception):
    """Launch data are forged, damaged or too old: `code` says which, for the page."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class InitData(Struct, frozen=True):
    """The verified content of launch data."""

    user: TelegramUser
    """The person who has opened the Mini App (Bot API, WebAppUser)."""
    start_param: str | None
    """The value of `startapp` in the link; None where the app was opened by a button of a private chat."""


def verified(text: str, token: str, now: float) -> InitData:
    """Verify launch data at `now` (Unix seconds) and return their content. Raises `InitDataError`.

    The hash covers every other field, `signature` among them.
    """
    if len(text) > LONGEST:
        raise InitDataError("bad_init_data")
    try:
        fields = dict(parse_qsl(text, keep_blank_values=True, strict_parsing=True))
        given = fields.pop("hash")
    except (ValueError, KeyError):
        raise InitDataError("bad_init_data") from None
    if not hmac.compare_digest(given.encode(errors="replace"), signature(fields, token).encode()):
        raise InitDataError("bad_init_data")
    try:
        user = msgspec.json.decode(fields["user"], type=TelegramUser)
        age = now - int(fields["auth_date"])
    except (ValueError, KeyError):
        raise InitDataError("bad_init_data") from None
    if not -CLOCK_SKEW <= age <= LONGEST_AGE:
        raise InitDataError("expired_init_data")
    return InitData(user, fields.get("start_param") or None)


def signature(fields: dict[str, str], token: str) -> str:
    """Return the hash, as Telegram computes it, of the fields without `hash`."""
    lines = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    key = hmac.digest(b"WebAppData", token.encode(), sha256)
    return hmac.digest(key, lines.encode(errors="replace"), sha256).hex()


# --- the call


class SessionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of the call."""

    init_data: str
    """Telegram's launch data, as the app has them."""
    table: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")] | None = None
    """The bot's reference for the table, where the launch data have none: of a button in a private chat."""
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


class SessionProblem(Struct, frozen=True):
    """The answer when there is no session."""

    code: str
    title: str


class Sessions:
    """Answers the call."""

    def __init__(self, context: BotContext, token: str, now: Callable[[], float] = time.time) -> None:
        self._context = context
        self._token = token
        self._now = now

    def application(self) -> web.Application:
        """Return an application that answers the call alone, for a bot without a webhook."""
        application = web.Application()
        application.router.add_post(SESSION_PATH, self.answer)
        return application

    async def answer(self, request: web.Request) -> web.Response:
        """Answer a request: 200 with a `Session`, or a `SessionProblem`."""
        try:
            wanted = msgspec.json.decode(await _body(request), type=SessionRequest)
            launched = verified(wanted.init_data, self._token, self._now())
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return _json(SessionProblem("malformed", "The body is no session request."), 400)
        except InitDataError as error:
            return _json(SessionProblem(error.code, "Telegram's launch data are not valid, or too old."), 401)
        try:
            return _json(await self._session(launched, wanted))
        except (ActionRefusedError, EngineError, *REDIS_ERRORS) as failure:
            return _refused(failure, nearest_language(launched.user.language_code))

    async def _session(self, launched: InitData, wanted: SessionRequest) -> Session:
        """Return the session of a person. Raises `ActionRefusedError` and `EngineError`."""
        ref = launched.start_param or wanted.table or ""
        chat_table = await self._context.tables.lookup.chat_table(ref)
        user = launched.user
        if launched.start_param is None:
            # Nothing signed names this table: it is shown to those alone who sit there.
            await self._context.tables.lookup.require_seated(chat_table, user.id)
        token = await self._context.repositories.seats.token(ref, launched.user.id)
        if wanted.sit and token is None:
            chat_table, token = await self._sit(chat_table, launched.user)
        person = await self._person(launched.user)
        table = await self._context.tables.lookup.public_view(chat_table)
        if table is not None and was_emptied(table):
            table = None
        return Session(
            table=None if table is None else table.id,
            game=chat_table.game,
            token=token,
            name=person.name,
            language=person.language,
            may_sit=token is None and not chat_table.alone and (table is None or table.status == "open"),
        )

    async def _person(self, user: TelegramUser) -> PersonRecord:
        """Return a person as the bot knows them; nothing is stored of somebody who only watches."""
        known = await self._context.repositories.people.person(user.id)
        return known or PersonRecord(user.id, clean_name(user.first_name), nearest_language(user.language_code))

    async def _sit(self, chat_table: ChatTable, user: TelegramUser) -> tuple[ChatTable, str | None]:
        """Seat a person of the table's group. Raises `ActionRefusedError` and `EngineError`."""
        await self._context.members.require(chat_table, user.id)
        repositories = self._context.repositories
        person = await remember_person(repositories.people, user, private=False)
        seated = await self._context.tables.seating.sit(chat_table.ref, person)
        await self._context.followers.refresh(chat_table.ref)
        return seated, await repositories.seats.token(chat_table.ref, user.id)


def _refused(failure: Exception, language: Language) -> web.Response:
    """Return the answer for an action that is refused, or that needs something that is down."""
    match failure:
        case ActionRefusedError(code=code):
            status = 403
        case EngineError(code=code) if not isinstance(failure, UnavailableError):
            status = 409
        case _:
            log.warning("session_unavailable", reason=type(failure).__name__)
            code, status = "unreachable", 503
    return _json(SessionProblem(code, refusal_text(code, {}, None, language)), status)


async def _body(request: web.Request) -> bytes:
    """Return the body, cut after the longest valid one: a cut body is not valid JSON, and so is refused."""
    try:
        return await request.content.readexactly(LONGEST_BODY)
    except asyncio.IncompleteReadError as whole:
        return whole.partial


def _json(answer: Struct, status: int = 200) -> web.Response:
    body = msgspec.json.encode(answer)
    return web.Response(body=body, status=status, content_type="application/json", headers=NO_STORE)
