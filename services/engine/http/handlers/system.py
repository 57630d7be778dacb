"""Is the house open, how does it fare, and how is it described."""

import asyncio

import msgspec
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from services.engine.http import docs, openapi
from services.engine.http.answers import encoded
from services.engine.http.keys import DOORS, METRICS, SERVICE
from services.engine.http.problems import KINDS, ProblemError


class Health(msgspec.Struct, frozen=True):
    """How the house fares."""

    status: str


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
    text = docs.page()
    return web.Response(text=text, content_type="text/html", headers={"Content-Security-Policy": docs.POLICY})


async def problem(request: web.Request) -> web.Response:
    """Say in a line what a problem's type means."""
    code = request.match_info["code"]
    if code not in KINDS:
        raise ProblemError("not_found")
    return web.Response(text=f"{code} ({KINDS[code].status}): {KINDS[code].title}.\n")
