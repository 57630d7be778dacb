"""The open connections of each address: a client gets a bounded number besides its streams."""

from typing import Protocol

CONNECTIONS = 1024
"""Connections of an address beside those of its streams."""
LOOKED_AT = 64
"""Connections that are looked at, at most, to find an idle one."""


class ClientConnection(Protocol):
    """A connection of a client."""

    @property
    def idle(self) -> bool:
        """Whether no request is under way."""
        ...

    def force_close(self) -> None:
        """Close it at once."""
        ...


class ClientConnections:
    """Closes an idle connection of an address that opens too many: the oldest one, or else the new one."""

    def __init__(self, streams: int) -> None:
        """`streams`: the limit of a client's streams; 0 for no limit, also of connections."""
        self._most = streams and streams + CONNECTIONS
        self._open: dict[str, dict[ClientConnection, None]] = {}
        """Connections by address, the oldest first; busy ones come last."""

    def add(self, address: str, connection: ClientConnection) -> None:
        """Count a new connection; an empty address, such as a proxy's, has no limit."""
        if not (address and self._most):
            return
        connections = self._open.setdefault(address, {})
        connections[connection] = None
        if len(connections) > self._most:
            unwanted = self._least_wanted(connections, connection)
            del connections[unwanted]
            unwanted.force_close()

    def remove(self, address: str, connection: ClientConnection) -> None:
        """Forget a connection that is closed."""
        connections = self._open.get(address, {})
        connections.pop(connection, None)
        if not connections:
            self._open.pop(address, None)

    @staticmethod
    def _least_wanted(connections: dict[ClientConnection, None], new: ClientConnection) -> ClientConnection:
        """Return the first idle connection among some, or the new one; busy ones are put last."""
        for _ in range(LOOKED_AT):
            oldest = next(iter(connections))
            if oldest.idle:
                return oldest
            connections[oldest] = connections.pop(oldest)
        return new
