"""Calls of the server itself: health, metrics, release, the OpenAPI document, and pages about the API and problems."""

from typing import Literal

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST

from locanda import __version__
from locanda.games.registry import LEFT_OUT, SOURCES
from locanda.messages import Language, Maintenance, ProblemDescription, ProblemDescriptions, Server
from locanda.texts.maintenance import maintenance_text
from locanda.translations import translations_in
from services.engine.errors import ProblemError
from services.engine.http.api.declaring import Calls
from services.engine.http.api.route import PROBES, SYSTEM, ClientCall
from services.engine.http.problems.types import PROBLEM_TYPES, ProblemType
from services.engine.http.server.context import AppContext
from services.engine.http.server.responses import JSON, Response, html_response
from services.engine.service.administered import MaintenanceState
from services.engine.service.administration import at, time_or_none

AS_ASKED = "In English or Italian, by `Accept-Language`. As JSON if `Accept` prefers it to HTML."

calls = Calls()


class Health(msgspec.Struct, frozen=True):
    """The state of the process."""

    status: Literal["alive", "ready"]
    """The problem type."""
    games: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    """The package of each game."""
    left_out: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    """The reason why each installed game that is not offered was left out, by game."""


@calls.read(SYSTEM, "/v1/server", client=ClientCall())
async def server(context: AppContext, *, language: Language) -> Server:
    """Get the server's release, public address and announced maintenance."""
    announced = context.service.administration.maintenance()
    now = context.service.administration.now()
    shown = None if announced is None else shown_maintenance(announced, now, language)
    sent = context.subscriptions
    return Server(__version__, context.public_url or None, shown, sent.webhooks, sent.push_key)


def shown_maintenance(announced: MaintenanceState, now: int, language: Language) -> Maintenance:
    """Return an announced maintenance, with a sentence for people."""
    text = maintenance_text((announced.begins - now) / 60_000, announced.text, translations_in(language))
    return Maintenance(at(announced.begins), time_or_none(announced.ends), text)


@calls.read(PROBES, "/healthz")
async def healthz(_: AppContext) -> Health:
    """Check that the process is alive."""
    return Health("alive")


@calls.read(PROBES, "/readyz", problems=("store_down", "closing"))
async def readyz(context: AppContext) -> Health:
    """Check that the engine can serve calls."""
    if context.tracker.closing:
        raise ProblemError("closing", retry_after=1)
    await context.service.ready()
    return Health("ready", SOURCES, LEFT_OUT)


@calls.read(PROBES, "/metrics", media="text/plain")
async def metrics(context: AppContext) -> Response:
    """Get Prometheus metrics."""
    return Response(await context.metrics.shared_exposition(), headers={"Content-Type": CONTENT_TYPE_LATEST})


@calls.kept(SYSTEM, "/openapi.json", media="application/json")
async def document(context: AppContext) -> Response:
    """Get this document."""
    await context.documentation.prepare()
    return Response(context.documentation.openapi, headers={"Content-Type": JSON})


@calls.kept(SYSTEM, "/docs", media="text/html")
async def page(context: AppContext, *, address: str) -> Response:
    """Get this document as an HTML page."""
    await context.documentation.prepare()
    headers = {"Content-Language": "en"} | ({} if context.public_url else {"Vary": "Host"})
    return html_response(context.documentation.page(context.public_url or address), headers)


async def problem_descriptions(_: AppContext, *, language: Language) -> ProblemDescriptions:
    """Return the descriptions of all problem types."""
    by_status = sorted(PROBLEM_TYPES.values(), key=lambda type_: type_.status)
    return ProblemDescriptions([_described(type_, language) for type_ in by_status])


async def problem_description(_: AppContext, *, code: str, language: Language) -> ProblemDescription:
    """Return the description of a problem type."""
    return _described(PROBLEM_TYPES[code], language)


def _described(type_: ProblemType, language: Language) -> ProblemDescription:
    return ProblemDescription(type_.code, type_.status, *type_.texts(language))


@calls.read(SYSTEM, "/problems", notes=AS_ASKED, media="text/html", as_json=problem_descriptions)
async def problems(context: AppContext, *, language: Language) -> Response:
    """List all problems, as HTML or JSON."""
    return html_response(context.documentation.problem_list(language).encode(), _localized(language))


@calls.read(SYSTEM, "/problems/{code}", notes=AS_ASKED, media="text/html", as_json=problem_description)
async def problem(context: AppContext, *, code: str, language: Language) -> Response:
    """Get a problem type with its meaning and remedy, as HTML or JSON."""
    return html_response(context.documentation.problem_page(code, language).encode(), _localized(language))


def _localized(language: Language) -> dict[str, str]:
    return {"Content-Language": language, "Vary": "Accept-Language, Accept"}
