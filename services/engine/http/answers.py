"""From an answer to its HTTP form."""

from collections.abc import Mapping
from typing import Literal

import msgspec
from aiohttp import web
from msgspec import Struct

from services.engine.idempotency import Reply

TYPE = "application/json"
JSON = {"Content-Type": TYPE}
_encoder = msgspec.json.Encoder()


def encoded(answer: Struct) -> web.Response:
    """Return an answer that belongs to no table's version."""
    return web.Response(body=_encoder.encode(answer), headers=JSON)


def versioned(reply: Reply, status: Literal[200, 201] = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """Return an answer that shows a table, with its version as the entity tag."""
    told = {"Content-Type": TYPE, "ETag": f'"{reply.version}"', **(headers or {})}
    return web.Response(body=reply.body, status=status, headers=told)


def unchanged(version: int) -> web.Response:
    """Return that the viewer knows the table already."""
    return web.Response(status=304, headers={"ETag": f'"{version}"'})
