"""`locanda-mcp`: an MCP server that gives an AI agent a seat at a table, over the client (optional extra)."""

from locanda.mcp.server import main, server_of

__all__ = ["main", "server_of"]
