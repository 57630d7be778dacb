"""Sends the engine's requests to other people's servers, which may be slow, broken or hostile.

Addresses are checked when a socket is created. Every address that a name resolves to is checked there, and the engine
connects to the checked address, even if the name resolves differently a moment later (DNS rebinding).

Callers limit how many requests run at once. This module has no queue: names are resolved without threads, so a slow
lookup delays only its own request.
"""

import socket
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import aiohttp
from aiohttp.abc import AbstractResolver

from locanda import __version__
from services.engine.outbound.addresses import Network, is_admitted
from services.engine.outbound.answers import OutboundError, ServerAnswer

IDLE_SECONDS = 3.0
"""Seconds for which an idle connection is kept. Many servers close idle connections after five."""
HEADERS = {"Accept-Encoding": "identity", "Content-Type": "application/json", "User-Agent": f"Locanda/{__version__}"}
"""Headers of every request. Responses must not be compressed, since a small response could expand to a large one."""


class Outbound:
    """Sends requests: with https to the internet and to listed networks, with http to listed networks only."""

    def __init__(
        self, listed: Sequence[Network], resolver: Callable[[], AbstractResolver] = aiohttp.AsyncResolver
    ) -> None:
        """`resolver` creates the DNS resolver; it is called when an event loop is running."""
        self._listed = listed
        self._make_resolver = resolver
        self._resolver: AbstractResolver | None = None
        self._sessions: dict[str, aiohttp.ClientSession] = {}

    async def post(
        self, url: str, body: bytes, headers: Mapping[str, str], *, seconds: float, most_bytes: int
    ) -> ServerAnswer:
        """Send a body and return the response. Raises `OutboundError` if there is no complete response."""
        limit = aiohttp.ClientTimeout(total=seconds, ceil_threshold=seconds + 1)
        try:
            async with self._session(url).post(
                url, data=body, headers=headers, timeout=limit, allow_redirects=False
            ) as response:
                return ServerAnswer(response.status, await _read(response, most_bytes))
        except TimeoutError:
            failed = OutboundError("late")
        except aiohttp.ClientConnectorError as error:
            failed = OutboundError("refused" if isinstance(error.os_error, RefusedAddressError) else "unreachable")
        except (aiohttp.InvalidURL, aiohttp.ClientConnectorCertificateError):
            failed = OutboundError("unreachable")
        except (aiohttp.ClientError, OSError, ValueError):
            failed = OutboundError("broken")
        raise failed  # raised outside the `except` block, since the context of the error would contain the URL

    async def close(self) -> None:
        """Close all connections, including those of requests in progress."""
        for session in self._sessions.values():
            await session.close()
        if self._resolver is not None:
            await self._resolver.close()

    def _session(self, url: str) -> aiohttp.ClientSession:
        """Return the session for a URL's scheme. With http, only listed networks are allowed."""
        scheme = "https" if url.lower().startswith("https:") else "http"
        if scheme not in self._sessions:
            self._resolver = self._resolver or self._make_resolver()
            self._sessions[scheme] = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    resolver=self._resolver,
                    limit=0,
                    keepalive_timeout=IDLE_SECONDS,
                    socket_factory=partial(_socket, self._listed, internet=scheme == "https"),
                ),
                headers=HEADERS,
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
            )
        return self._sessions[scheme]


class RefusedAddressError(OSError):
    """The engine may not connect to an address. The message is constant: aiohttp merges equal errors."""


def _socket(listed: Sequence[Network], address: aiohttp.AddrInfoType, *, internet: bool) -> socket.socket:
    """Return a socket to connect to an address. Raises `RefusedAddressError` if the engine may not connect to it."""
    family, kind, protocol, _, (host, *_) = address
    if not is_admitted(str(host), listed, internet=internet):
        raise RefusedAddressError("refused")
    return socket.socket(family, kind, protocol)


async def _read(response: aiohttp.ClientResponse, most_bytes: int) -> bytes:
    """Return a response's body. Raises `OutboundError` as soon as the body is too large."""
    chunks, size = [], 0
    async for chunk in response.content.iter_any():
        size += len(chunk)
        if size > most_bytes:
            response.close()
            raise OutboundError("too_big")
        chunks.append(chunk)
    return b"".join(chunks)
