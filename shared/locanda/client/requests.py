"""The client's requests: paths, headers and bodies; decoding of answers."""

from collections.abc import Mapping
from typing import TypeVar
from urllib.parse import quote
from uuid import uuid4

import msgspec

from locanda import messages
from locanda.client.transport import Call, Transport
from locanda.errors import bad_answer
from locanda.messages import Language

T = TypeVar("T")

LONGEST_THOUGHT = 60.0
"""Seconds to wait for an answer that a computer player computes."""


class Requests:
    """Base class that sends requests to one engine."""

    def __init__(self, transport: Transport, *, words: bool) -> None:
        self._transport = transport
        self._words = {"words": "true"} if words else {}

    async def _ask(
        self,
        method: str,
        path: str,
        answer: type[T],
        headers: Mapping[str, str],
        *,
        body: msgspec.Struct | None = None,
        query: Mapping[str, object] | None = None,
        wait: float = 0,
    ) -> T:
        """Send a request and return its decoded answer. Query parameters that are None are left out."""
        call = request(method, path, headers, body=body, query=query, wait=wait)
        return decoded(await self._transport.fetch(call), answer)


def request(
    method: str,
    path: str,
    headers: Mapping[str, str],
    *,
    body: msgspec.Struct | None = None,
    query: Mapping[str, object] | None = None,
    wait: float = 0,
) -> Call:
    """Build a request. Query parameters that are None are left out."""
    sent = {"Accept": "application/json", **headers} | ({} if body is None else {"Content-Type": "application/json"})
    parameters = {name: str(value) for name, value in (query or {}).items() if value is not None}
    return Call(method, path, sent, parameters, b"" if body is None else msgspec.json.encode(body), wait)


def path_of(*parts: str | int) -> str:
    """Join path segments, percent-encoded, to a path."""
    return "/v1/" + "/".join(quote(str(part), safe="") for part in parts)


def entity_tag(known: messages.Table) -> str:
    """Return the entity tag (`ETag`) that the engine sent with this table."""
    language = f"-{known.words.language}" if known.words else ""
    return f'"{known.version}{language}"'


def bearer(token: str | None) -> dict[str, str]:
    """Return the authorization header for a token; no header without a token."""
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def spoken(language: Language | None) -> dict[str, str]:
    """Return the header that requests a language other than the client's default."""
    return {} if language is None else {"Accept-Language": language}


def conditions(token: str | None, version: int | None, key: str | None) -> dict[str, str]:
    """Return the headers of a write: token, expected version of the table, idempotency key (a fresh one by default)."""
    matching = {} if version is None else {"If-Match": f'"{version}"'}
    return bearer(token) | matching | {"Idempotency-Key": key or str(uuid4())}


def decoded(body: bytes | None, answer: type[T]) -> T:
    """Decode a response. Raises `BadAnswerError` if the body does not match the type."""
    try:
        return msgspec.json.decode(body or b"", type=answer)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise bad_answer(f"no {answer.__name__} could be read: {error}") from error
