"""`locanda-mcp`, an extra of the package: a seat at a table for agents, over the client."""

from locanda.mcp.server import main, server_of

__all__ = ["main", "server_of"]
