"""From a code to the problem that is answered (RFC 9457)."""

from collections.abc import Mapping

import msgspec

from services.engine.http.answers import Answer
from services.engine.http.kinds import KINDS, REFUSALS
from shared.messages import JsonObject, Language, Problem

__all__ = ["CONTENT_TYPE", "KINDS", "REFUSALS", "ProblemError", "answer", "example", "problem"]

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


def answer(told: Problem, language: Language = "en", headers: Mapping[str, str] | None = None) -> Answer:
    """Return the answer that tells a problem in a language."""
    always = {
        "Content-Type": CONTENT_TYPE,
        "Content-Language": language,
        "Vary": "Accept-Language",
        "Cache-Control": "no-store",
    }
    return Answer(msgspec.json.encode(in_language(told, language)), told.status, always | dict(headers or {}))
