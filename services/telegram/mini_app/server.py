"""HTTP handlers of the Mini App's calls: they verify Telegram's launch data, run the call, and encode errors."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import structlog
from aiohttp import web
from msgspec import Struct

from locanda.errors import EngineError, UnavailableError
from locanda.translations import Language
from services.common.fair_queue import Bounds
from services.common.negotiation import language
from services.common.places import NoPlaceError, Places
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.accounts import acting_for
from services.telegram.handlers.context import BotContext
from services.telegram.mini_app.calls import (
    ClosingRequest,
    LeaderboardRequest,
    SessionRequest,
    group_leaderboard,
    open_session,
    vote_on_closing,
)
from services.telegram.mini_app.requests import (
    LONGEST_INIT_DATA,
    AppCaller,
    AppRequest,
    InitDataError,
    caller_of,
    language_of,
    verified,
)
from services.telegram.screens.notices import refusal_text
from services.telegram.tables.lookup import ActionRefusedError

log = structlog.get_logger(__name__)

LONGEST_BODY = 3 * LONGEST_INIT_DATA
"""Maximum size of a body in bytes: escaping in JSON makes the launch data longer."""
BOUNDS = Bounds(places=64, asker_places=1, waiting=1024, asker_waiting=8)
"""Limits of running and waiting calls, in total and for each person."""
NO_STORE = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class AppCall(Struct, frozen=True):
    """A call of the Mini App."""

    request: type[AppRequest]
    """The type of the body."""
    action: Callable[[BotContext, AppCaller, Any], Awaitable[Struct]]
    """Runs the call. Raises `ActionRefusedError` and `EngineError`."""


CALLS = {
    "/telegram/session": AppCall(SessionRequest, open_session),
    "/telegram/leaderboard": AppCall(LeaderboardRequest, group_leaderboard),
    "/telegram/closing": AppCall(ClosingRequest, vote_on_closing),
}
"""The calls by path. All use POST."""


class AppProblem(Struct, frozen=True):
    """Body of an error response."""

    code: str
    title: str


class MiniAppServer:
    """Handles the Mini App's calls."""

    def __init__(self, context: BotContext, token: str) -> None:
        self._context = context
        self._token = token
        self._places = Places(BOUNDS)

    def application(self) -> web.Application:
        """Return an aiohttp application with only these calls, for a bot without a webhook."""
        application = web.Application()
        for path in CALLS:
            application.router.add_post(path, self.answer)
        return application

    async def answer(self, request: web.Request) -> web.Response:
        """Handle a request; return 200 with the call's answer, or an error with an `AppProblem`."""
        call = CALLS[request.path]
        try:
            wanted = msgspec.json.decode(await _body(request), type=call.request)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return _problem("malformed", 400, language(request))
        try:
            launched = verified(wanted.init_data, self._token, time.time())
        except InitDataError as error:
            return _problem(error.code, 401, wanted.language or language(request))
        try:
            async with self._places.place(launched.user.id):
                caller = await caller_of(self._context, launched, wanted)
                with acting_for(caller.chat_table.chat):
                    return _json(await call.action(self._context, caller, wanted))
        except NoPlaceError:
            return _problem("too_many_requests", 429, language_of(launched, wanted))
        except (ActionRefusedError, EngineError, *REDIS_ERRORS) as failure:
            return _refused(failure, language_of(launched, wanted))


def unavailable(request: web.Request) -> web.Response:
    """Return 503 from a process that does not lead, so that a proxy tries the next process."""
    return _problem("unreachable", 503, language(request))


def _refused(failure: Exception, of: Language) -> web.Response:
    match failure:
        case ActionRefusedError(code=code):
            status = 403
        case EngineError(code=code) if not isinstance(failure, UnavailableError):
            status = 409
        case _:
            log.warning("mini_app_unavailable", reason=type(failure).__name__)
            code, status = "unreachable", 503
    return _problem(code, status, of)


def _problem(code: str, status: int, of: Language) -> web.Response:
    return _json(AppProblem(code, refusal_text(code, {}, None, of)), status)


async def _body(request: web.Request) -> bytes:
    """Return at most `LONGEST_BODY` bytes of the body. A longer body is cut and therefore invalid JSON."""
    try:
        return await request.content.readexactly(LONGEST_BODY)
    except asyncio.IncompleteReadError as whole:
        return whole.partial


def _json(answer: Struct, status: int = 200) -> web.Response:
    body = msgspec.json.encode(answer)
    return web.Response(body=body, status=status, content_type="application/json", headers=NO_STORE)
