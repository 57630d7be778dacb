"""Who sends a request: the client's address, also behind trusted proxies, and its API key."""

import hmac
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from aiohttp import hdrs, web

from services.engine.http.problems.responses import ProblemError
from services.engine.service.tokens import digest
from services.engine.settings import Network

API_KEY_HEADER = "X-API-Key"
API_KEY_CHALLENGE = {"WWW-Authenticate": f'ApiKey realm="tables", header="{API_KEY_HEADER}"'}

IPV6_CLIENT_BITS = 64
"""The bits of an IPv6 address that tell clients apart: behind them, each has as many addresses as they like."""


class Clients:
    """Tells clients apart by their addresses. A forwarding header counts only where a trusted proxy has sent it."""

    def __init__(self, trusted: Sequence[Network] = (), header: str = "X-Forwarded-For") -> None:
        self._trusted = trusted
        self._header = header

    def of(self, request: web.BaseRequest) -> str:
        """Return what a client is counted by: its IPv4 address, or the network of its IPv6 address."""
        remote = request.remote or ""
        return client_key(self._behind(request, remote) if self._trusted else remote)

    def _behind(self, request: web.BaseRequest, remote: str) -> str:
        """Return the first address, from the nearest hop back, that is not a trusted proxy's."""
        hops = self._hops(request)
        while hops and self._trusts(remote) and parse_address(hops[-1]):
            remote = hops.pop()
        return remote

    def _hops(self, request: web.BaseRequest) -> list[str]:
        """Return the addresses in the one configured header: a client may have made the other one up."""
        if self._header == "Forwarded":
            return [hop.get("for", "") for hop in request.forwarded]
        return ",".join(request.headers.getall(hdrs.X_FORWARDED_FOR, ())).split(",")

    def _trusts(self, hop: str) -> bool:
        found = parse_address(hop)
        return found is not None and any(found in network for network in self._trusted)


@lru_cache(maxsize=4096)
def client_key(address: str) -> str:
    """Return by what the holder of an address is counted: an IPv4 address itself, the network of an IPv6 address."""
    found = parse_address(address)
    if isinstance(found, IPv6Address):
        return str(ip_network((int(found) >> 128 - IPV6_CLIENT_BITS << 128 - IPV6_CLIENT_BITS, IPV6_CLIENT_BITS)))
    return str(found or "")


@lru_cache(maxsize=4096)
def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`; None for other texts."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


class ApiKeys:
    """The operator's API keys, of which only the SHA-256 is kept. Without any, tables may be opened by everyone."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._digests = [digest(key) for key in keys]

    def require(self, key: str | None) -> None:
        """Raise `ProblemError` `no_key` where there are keys and this is none of them."""
        if not self._digests:
            return
        given = digest(key or "")
        # Every key is compared, also after a match, so that the time tells nothing about which one it was.
        if not sum(hmac.compare_digest(given, own) for own in self._digests):
            raise ProblemError("no_key", headers=API_KEY_CHALLENGE)
