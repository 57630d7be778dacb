"""Problems (RFC 9457)."""

from msgspec import Struct

from locanda.messages.values import JsonObject


class Problem(Struct, frozen=True, omit_defaults=True):
    """An error in the format of RFC 9457, with a stable `code`."""

    type: str
    """The address of the page about it, on the server."""
    title: str
    """The problem in a few words, in the language that `Accept-Language` asks for."""
    status: int
    """The HTTP status of the answer."""
    code: str
    """The problem's stable name, for programs; `/problems` explains each."""
    detail: str = ""
    """The error in this request, in English, for programmers."""
    field: str | None = None
    """The invalid part of the request: a JSON path in the body, or the name of a header or parameter."""
    facts: JsonObject | None = None
    """The facts that explain a refused move."""
    version: int | None = None
    """The current version of the table, if the request expected another one."""
    text: str = ""
    """The problem as a sentence for people, if `words` asks for it."""


class ProblemDescription(Struct, frozen=True):
    """The meaning of a problem, and the advice to clients, in the language of the answer."""

    code: str
    """The problem's stable name, for programs."""
    status: int
    """The HTTP status of the answers that bring it."""
    title: str
    """The problem in a few words."""
    explanation: str
    """When it comes."""
    remedy: str
    """Advice to clients."""


class ProblemDescriptions(Struct, frozen=True):
    """Every problem of the API."""

    problems: list[ProblemDescription]
    """The problems, by status."""
