"""Outcomes of requests to other people's servers, for callers that know no HTTP."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol, TypeAlias

Failure: TypeAlias = Literal["refused", "late", "unreachable", "broken", "too_big"]
"""Why there is no answer: the address is none that the engine connects to, it took too long, nothing listens there or
it is not who it should be, the connection ended or what came was no HTTP, the answer was too large."""


class OutboundError(Exception):
    """A server gave no answer. It says why, and neither the server's address nor anything that it sent."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


class ServerAnswer(NamedTuple):
    """A server's response, with any status: a redirection is not followed."""

    status: int
    body: bytes


class Post(Protocol):
    """Sends a body to a URL, and returns the answer. Raises `OutboundError`."""

    async def __call__(
        self, url: str, body: bytes, headers: Mapping[str, str], *, seconds: float, most_bytes: int
    ) -> ServerAnswer:
        """`seconds` limits the whole request, `most_bytes` the answer's body."""
        ...
