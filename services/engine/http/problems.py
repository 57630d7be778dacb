"""From a code to the problem that is answered (RFC 9457)."""

import msgspec
from aiohttp import web

from services.engine.http.kinds import KINDS, REFUSALS
from shared.messages import JsonObject, Language, Problem

__all__ = ["CONTENT_TYPE", "KINDS", "REFUSALS", "ProblemError", "example", "problem", "response"]

CONTENT_TYPE = "application/problem+json"


class ProblemError(Exception):
    """A request that ends in a problem."""

    def __init__(
        self, code: str, detail: str = "", *, field: str | None = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.field = field
        self.headers = headers or {}


def problem(
    code: str,
    detail: str = "",
    *,
    field: str | None = None,
    facts: JsonObject | None = None,
    version: int | None = None,
) -> Problem:
    """Return the problem of a code, with its title in English."""
    kind = KINDS[code]
    return Problem(f"/problems/{code}", kind.en.title, kind.status, code, detail, field, facts or None, version)


def example(code: str, language: Language = "en") -> Problem:
    """Return what an answer of this code may look like."""
    return in_language(problem(code, **KINDS[code].example), language)


def in_language(told: Problem, language: Language) -> Problem:
    """Return a problem with its title in a language."""
    return msgspec.structs.replace(told, title=KINDS[told.code].words(language).title)


def response(told: Problem, language: Language = "en", headers: dict[str, str] | None = None) -> web.Response:
    """Return the answer that tells a problem in a language."""
    always = {"Content-Language": language, "Vary": "Accept-Language", "Cache-Control": "no-store"}
    answer = web.Response(
        body=msgspec.json.encode(in_language(told, language)),
        status=told.status,
        content_type=CONTENT_TYPE,
        headers=always | (headers or {}),
    )
    if answer.headers.get("Connection") == "close":  # which aiohttp would say, and not do
        answer.force_close()
    return answer
