"""Problem responses (RFC 9457): body and headers for a problem code."""

from collections.abc import Mapping

import msgspec

from locanda.messages import JsonObject, Language, Problem
from locanda.translations import translations_in
from services.engine.errors import ProblemError
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.http.server.responses import Response

CONTENT_TYPE = "application/problem+json"
LONGEST_QUOTE = 500
"""Maximum characters of `detail` and `field`, which may quote the request."""


class HttpProblemError(ProblemError):
    """A request that is answered with a problem and additional headers."""

    def __init__(self, code: str, detail: str = "", *, field: str | None = None, headers: dict[str, str]) -> None:
        super().__init__(code, detail, field=field)
        self.headers = headers


def make_problem(
    code: str,
    detail: str = "",
    *,
    field: str | None = None,
    facts: JsonObject | None = None,
    version: int | None = None,
) -> Problem:
    """Return the problem of a code, with its English title."""
    type_ = PROBLEM_TYPES[code]
    named = None if field is None else _quotable(field)
    return Problem(
        f"/problems/{code}", type_.title, type_.status, code, _quotable(detail), named, facts or None, version
    )


def _quotable(text: str) -> str:
    """Return a text that may quote the request: cut to `LONGEST_QUOTE`, with lone surrogates escaped."""
    if len(text) > LONGEST_QUOTE:
        text = text[: LONGEST_QUOTE - 1] + "…"
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def example(code: str, language: Language = "en") -> Problem:
    """Return an example of the problem with this code."""
    return translated(make_problem(code, **PROBLEM_TYPES[code].example), language)


def translated(problem: Problem, language: Language) -> Problem:
    """Return a problem with its title in a language."""
    return msgspec.structs.replace(problem, title=title_of(problem.code, language))


def title_of(code: str, language: Language) -> str:
    """Return the title of a problem type in a language."""
    return translations_in(language).gettext(PROBLEM_TYPES[code].title)


def problem_response(problem: Problem, language: Language = "en", headers: Mapping[str, str] | None = None) -> Response:
    """Return the response with a problem. The problem's title is in a language."""
    always = {
        "Content-Type": CONTENT_TYPE,
        "Content-Language": language,
        "Vary": "Accept-Language",
        "Cache-Control": "no-store",
    }
    return Response(msgspec.json.encode(translated(problem, language)), problem.status, always | dict(headers or {}))
