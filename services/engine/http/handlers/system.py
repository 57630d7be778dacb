"""Is the house open, how does it fare, and how is it described."""

import asyncio
from typing import Literal

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST

from services.engine.http import docs, openapi, problem_pages
from services.engine.http.answers import JSON, Answer, encoded
from services.engine.http.html import POLICY
from services.engine.http.negotiation import language
from services.engine.http.problems import KINDS, ProblemError
from services.engine.http.request import Request
from shared.messages import Language


class Health(msgspec.Struct, frozen=True):
    """How the house fares."""

    status: Literal["alive", "ready"]


async def healthz(_: Request) -> Answer:
    """Say that the process is alive."""
    return encoded(Health("alive"))


async def readyz(request: Request) -> Answer:
    """Say whether calls can be served: the store answers and the house is not closing."""
    if request.house.doors.closing:
        raise ProblemError("closing", headers={"Retry-After": "1"})
    await request.house.service.ping()
    return encoded(Health("ready"))


async def metrics(request: Request) -> Answer:
    """Return the metrics in Prometheus' text format."""
    body = await asyncio.to_thread(request.house.metrics.exposition)
    return Answer(body, headers={"Content-Type": CONTENT_TYPE_LATEST})


async def document(_: Request) -> Answer:
    """Return the OpenAPI document."""
    return Answer(openapi.document_bytes(), headers={"Content-Type": JSON})


async def page(_: Request) -> Answer:
    """Return the document as a page to read."""
    return _html(docs.page())


async def problems(request: Request) -> Answer:
    """Return the list of all problems."""
    told = language(request)
    return _html(problem_pages.index(told), told)


async def problem(request: Request) -> Answer:
    """Say what a problem's type means, when it comes, and what to do about it."""
    code, told = request.named["code"], language(request)
    if code not in KINDS:
        raise ProblemError("not_found")
    return _html(problem_pages.page(code, told), told)


def _html(text: str, told: Language | None = None) -> Answer:
    chosen = {"Content-Language": told, "Vary": "Accept-Language"} if told else {"Content-Language": "en"}
    always = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY}
    return Answer(text.encode(), headers=always | chosen)
