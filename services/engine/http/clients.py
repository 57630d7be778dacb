"""Who asks: the client's address, also from behind proxies that the host trusts."""

from collections.abc import Sequence

from aiohttp import hdrs, web

from services.engine.addresses import Network, address, site


class Clients:
    """Tells clients apart. What a request says of itself counts only where a trusted proxy has passed it on."""

    def __init__(self, trusted: Sequence[Network] = (), header: str = "X-Forwarded-For") -> None:
        self._trusted = trusted
        self._header = header

    def of(self, request: web.BaseRequest) -> str:
        """Return by what a client is known: its address; of IPv6, its network's."""
        remote = request.remote or ""
        return site(self._behind(request, remote) if self._trusted else remote)

    def _behind(self, request: web.BaseRequest, remote: str) -> str:
        """Go back from hop to hop, as long as the one that tells of the next is trusted: others may tell lies."""
        hops = self._hops(request)
        while hops and self._trusts(remote) and address(hops[-1]):
            remote = hops.pop()
        return remote

    def _hops(self, request: web.BaseRequest) -> list[str]:
        """Return the addresses that the one believed header lists: the other one may be the client's own invention."""
        if self._header == "Forwarded":
            return [hop.get("for", "") for hop in request.forwarded]
        return ",".join(request.headers.getall(hdrs.X_FORWARDED_FOR, ())).split(",")

    def _trusts(self, hop: str) -> bool:
        found = address(hop)
        return found is not None and any(found in network for network in self._trusted)
