"""Error responses of the API: problems (RFC 9457)."""

from msgspec import Struct

from locanda.messages.values import JsonObject


class Problem(Struct, frozen=True, omit_defaults=True):
    """An error in the format of RFC 9457, with a stable `code`."""

    type: str
    """URL of the page about the problem, on the server."""
    title: str
    """The problem in a few words, in the language of `Accept-Language`."""
    status: int
    """HTTP status of the response."""
    code: str
    """Stable code of the problem, for programs; `/problems` explains all codes."""
    detail: str = ""
    """The error in this request, in English, for developers."""
    field: str | None = None
    """The invalid part of the request: a JSON path in the body, or the name of a header or parameter."""
    facts: JsonObject | None = None
    """Facts that explain a refused move."""
    version: int | None = None
    """Current version of the table, if the request expected another one."""
    text: str = ""
    """The problem as a sentence for people; only with `words`."""


class ProblemDescription(Struct, frozen=True):
    """The meaning of a problem and advice for clients, in the requested language."""

    code: str
    """Stable code of the problem, for programs."""
    status: int
    """HTTP status of responses with the problem."""
    title: str
    """The problem in a few words."""
    explanation: str
    """When the problem occurs."""
    remedy: str
    """Advice for clients."""


class ProblemDescriptions(Struct, frozen=True):
    """All problems of the API."""

    problems: list[ProblemDescription]
    """The problems, ordered by status."""
