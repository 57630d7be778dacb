"""Limits the open connections of each client address."""

from typing import Protocol

CONNECTIONS = 1024
"""Connections that an address may have in addition to its limit of streams."""
LOOKED_AT = 64
"""Maximum number of connections to check when looking for an idle one."""


class ClientConnection(Protocol):
    """A connection of a client."""

    @property
    def idle(self) -> bool:
        """Whether no request is in progress."""
        ...

    def force_close(self) -> None:
        """Close the connection immediately."""
        ...


class ClientConnections:
    """Closes a connection when an address opens too many: the oldest idle one, or else the new connection."""

    def __init__(self, streams: int) -> None:
        """`streams`: the limit of streams per client. 0 means no limit, for connections too."""
        self._most = streams and streams + CONNECTIONS
        self._open: dict[str, dict[ClientConnection, None]] = {}
        """Connections by address, oldest first; connections found busy move to the end."""

    def add(self, address: str, connection: ClientConnection) -> None:
        """Count a new connection. Proxies have the empty address, which has no limit."""
        if not (address and self._most):
            return
        connections = self._open.setdefault(address, {})
        connections[connection] = None
        if len(connections) > self._most:
            unwanted = self._least_wanted(connections, connection)
            del connections[unwanted]
            unwanted.force_close()

    def remove(self, address: str, connection: ClientConnection) -> None:
        """Remove a connection that is closed."""
        connections = self._open.get(address, {})
        connections.pop(connection, None)
        if not connections:
            self._open.pop(address, None)

    @staticmethod
    def _least_wanted(connections: dict[ClientConnection, None], new: ClientConnection) -> ClientConnection:
        """Return the first idle connection, or else the new one. Moves busy connections to the end."""
        for _ in range(LOOKED_AT):
            oldest = next(iter(connections))
            if oldest.idle:
                return oldest
            connections[oldest] = connections.pop(oldest)
        return new
