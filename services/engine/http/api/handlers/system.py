"""Handlers for operators and readers: health, metrics, the OpenAPI document, and the pages about it and problems."""

import asyncio
from typing import Literal

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST

from locanda import __version__
from locanda.messages import Language, Server
from services.engine.http.html import POLICY
from services.engine.http.problems.responses import ProblemError
from services.engine.http.server.context import AppContext
from services.engine.http.server.responses import JSON, Response


class Health(msgspec.Struct, frozen=True):
    """Whether the process is alive, or ready to serve calls."""

    status: Literal["alive", "ready"]
    """What the call answers for."""


async def healthz(_: AppContext) -> Health:
    """Answer that the process is alive."""
    return Health("alive")


async def readyz(context: AppContext) -> Health:
    """Answer whether calls can be served: the store answers, and the engine is not shutting down."""
    if context.tracker.closing:
        raise ProblemError("closing", headers={"Retry-After": "1"})
    await context.service.ping()
    return Health("ready")


async def metrics(context: AppContext) -> Response:
    """Return the metrics in Prometheus' text format."""
    body = await asyncio.to_thread(context.metrics.exposition)
    return Response(body, headers={"Content-Type": CONTENT_TYPE_LATEST})


async def server(context: AppContext) -> Server:
    """Return the release, and the public address."""
    return Server(__version__, context.public_url or None)


async def document(context: AppContext) -> Response:
    """Return the OpenAPI document."""
    return Response(context.documentation.openapi, headers={"Content-Type": JSON})


async def page(context: AppContext, *, address: str) -> Response:
    """Return the document as a page to read, with commands for this engine."""
    return _html(context.documentation.page(context.public_url or address), {"Content-Language": "en"})


async def problems(context: AppContext, *, language: Language) -> Response:
    """Return the page that lists all problems."""
    return _html(context.documentation.problem_list(language), _localized(language))


async def problem(context: AppContext, *, code: str, language: Language) -> Response:
    """Return the page of a problem: what it means, when it comes, and what to do about it."""
    return _html(context.documentation.problem_page(code, language), _localized(language))


def _localized(language: Language) -> dict[str, str]:
    return {"Content-Language": language, "Vary": "Accept-Language"}


def _html(text: str, own: dict[str, str]) -> Response:
    always = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY}
    return Response(text.encode(), headers=always | own)
