"""Results of requests to other people's servers, independent of the HTTP library."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol, TypeAlias

Failure: TypeAlias = Literal["refused", "late", "unreachable", "broken", "too_big"]
"""Why a request failed: `refused` (address not allowed), `late` (timeout), `unreachable` (no connection, or wrong
certificate), `broken` (connection lost, or not HTTP), `too_big` (response too large)."""


class OutboundError(Exception):
    """A request failed. The error contains the reason, but neither the server's address nor its data."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


class ServerAnswer(NamedTuple):
    """A server's response, with any status. Redirects are not followed."""

    status: int
    body: bytes


class Post(Protocol):
    """Sends a body to a URL, and returns the response. Raises `OutboundError` if there is no complete response."""

    async def __call__(
        self, url: str, body: bytes, headers: Mapping[str, str], *, seconds: float, most_bytes: int
    ) -> ServerAnswer:
        """Send the body. `seconds` limits the whole request, and `most_bytes` the size of the response's body."""
        ...
