"""Is the house open, how does it fare, and how is it described."""

import asyncio
from typing import Literal

import msgspec
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from services.engine.http import docs, openapi, problem_pages
from services.engine.http.answers import encoded
from services.engine.http.html import POLICY
from services.engine.http.keys import DOORS, METRICS, SERVICE
from services.engine.http.negotiation import language
from services.engine.http.problems import KINDS, ProblemError
from shared.messages import Language


class Health(msgspec.Struct, frozen=True):
    """How the house fares."""

    status: Literal["alive", "ready"]


async def healthz(_: web.Request) -> web.Response:
    """Say that the process is alive."""
    return encoded(Health("alive"))


async def readyz(request: web.Request) -> web.Response:
    """Say whether calls can be served: the store answers and the house is not closing."""
    if request.app[DOORS].closing:
        raise ProblemError("closing", headers={"Retry-After": "1"})
    await request.app[SERVICE].ping()
    return encoded(Health("ready"))


async def metrics(request: web.Request) -> web.Response:
    """Return the metrics in Prometheus' text format."""
    body = await asyncio.to_thread(request.app[METRICS].exposition)
    return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})


async def document(_: web.Request) -> web.Response:
    """Return the OpenAPI document."""
    return web.Response(body=openapi.document_bytes(), content_type="application/json")


async def page(_: web.Request) -> web.Response:
    """Return the document as a page to read."""
    return _html(docs.page())


async def problems(request: web.Request) -> web.Response:
    """Return the list of all problems."""
    told = language(request)
    return _html(problem_pages.index(told), told)


async def problem(request: web.Request) -> web.Response:
    """Say what a problem's type means, when it comes, and what to do about it."""
    code, told = request.match_info["code"], language(request)
    if code not in KINDS:
        raise ProblemError("not_found")
    return _html(problem_pages.page(code, told), told)


def _html(text: str, told: Language | None = None) -> web.Response:
    chosen = {"Content-Language": told, "Vary": "Accept-Language"} if told else {"Content-Language": "en"}
    return web.Response(text=text, content_type="text/html", headers=chosen | {"Content-Security-Policy": POLICY})
